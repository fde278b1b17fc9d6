import { ApiError } from './answer/errors';
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

/** Values that a part of a path can't be: it would be another path. */
const NOT_IN_PATH = ['', 'undefined', 'NaN', 'null', '.', '..'];

/**
 * The path of an endpoint. Each value is one part of it, whatever characters it has.
 *
 * @param values by the names in the path
 * @throws ApiError for a value that is no part of a path, such as an ID that the service does not show
 */
export function pathOf(endpoint: string, values: Readonly<Record<string, unknown>>): string {
	return endpoint.replace(/:([A-Za-z]\w*)/g, (_placeholder, name: string) => {
		const part = encodeURIComponent(String(values[name]));
		if (!NOT_IN_PATH.includes(part)) return part;
		throw new ApiError(
			'refused',
			'The service shows no ID that can be used for this',
			'Nothing was sent. Look at the record at the service.',
		);
	});
}
