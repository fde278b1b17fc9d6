import type { Operating, Operations } from '../operation';

/** Call-to-action overlays and splash pages: both are listed, and nothing else. */
export function overlayOperations({ store, behavior, pages }: Operating): Operations {
	return {
		overlayGetAll: (call) =>
			pages.list(behavior.overlayCollection, store.overlays, 'id', call, (overlay) => ({ ...overlay })),
		splashPageGetAll: (call) => pages.list('splash', store.splash, 'id', call, (page) => ({ ...page })),
	};
}
