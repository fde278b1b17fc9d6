import type { ListEndpoint } from './lists/page';

/** The service's lists (spec, "Endpoints"; field notes, "Endpoints that the document leaves out"). */
export const LISTS = {
	links: { path: '/api/urls', collection: 'urls' },
	qrCodes: { path: '/api/qr', collection: 'qrs' },
	campaigns: { path: '/api/campaigns', collection: 'campaigns' },
	channels: { path: '/api/channels', collection: 'channels' },
	domains: { path: '/api/domains', collection: 'domains' },
	pixels: { path: '/api/pixels', collection: 'pixels' },
	splashPages: { path: '/api/splash', collection: 'splash' },
	// Services differ (field notes, "Resources").
	overlays: { path: '/api/overlay', collection: ['cta', 'overlay'] },
} as const satisfies Record<string, ListEndpoint>;

export const ACCOUNT = '/api/account';
export const LINK = '/api/url/:id';
export const QR_CODE = '/api/qr/:id';

/** The path of an endpoint. @param values by the names in the path: IDs, and types of items */
export function pathOf(endpoint: string, values: Readonly<Record<string, unknown>>): string {
	return endpoint.replace(/:([A-Za-z]\w*)/g, (_placeholder, name: string) => encodeURIComponent(String(values[name])));
}
