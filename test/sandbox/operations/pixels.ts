import { deleting, done, found, optionalText, text, type Operating, type Operations } from '../operation';
import type { StoredPixel } from '../records';

/** Tracking pixels, which the document leaves out. */
export function pixelOperations({ store, pages }: Operating): Operations {
	const recordOf = ({ id, ...pixel }: StoredPixel): Record<string, unknown> => ({ id: String(id), ...pixel });
	return {
		pixelGetAll: (call) => pages.list('pixels', store.pixels, 'id', call, recordOf),
		pixelCreate: ({ body }) => {
			const fields = { type: text(body.type), name: text(body.name), tag: text(body.tag) };
			return { error: 0, id: store.create('pixels', fields, 'api').id };
		},
		pixelUpdate: ({ params, body }) => {
			const pixel = found(store, 'pixels', params.id);
			pixel.name = optionalText(body.name) ?? pixel.name;
			pixel.tag = text(body.tag);
			return done('Pixel has been updated successfully.');
		},
		pixelDelete: deleting(store, 'pixels'),
	};
}
