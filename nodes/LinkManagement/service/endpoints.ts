import type { ListEndpoint } from './listEndpoint';

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
