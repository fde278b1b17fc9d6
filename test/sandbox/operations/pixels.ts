import { done, known, optionalText, text, unknown, type Operating, type Operations } from '../operation';
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
			const pixel = known(store.pixels.get(Number(params.id)), 'Pixel');
			pixel.name = optionalText(body.name) ?? pixel.name;
			pixel.tag = text(body.tag);
			return done('Pixel has been updated successfully.');
		},
		pixelDelete: ({ params }) => {
			if (!store.delete('pixels', Number(params.id), 'api')) throw unknown('Pixel');
			return done('Pixel has been deleted successfully.');
		},
	};
}
