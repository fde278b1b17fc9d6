import fastify, { type FastifyInstance } from 'fastify';

/** A request for a picture, at the service or where it stores files. */
export interface PictureRequest {
	at: number;
	host: 'service' | 'store';
	path: string;
	/** Whether an Authorization header came along. */
	authorized: boolean;
	/** The Cookie header, if any came along. */
	cookie?: string;
}

/** A picture of a code: black squares, as its letters have it. */
export function svgOf(code: string): string {
	const bits = [...code].flatMap((letter) => [...letter.charCodeAt(0).toString(2).padStart(8, '0')]);
	const squares = bits.map((bit, index) =>
		bit === '1' ? `<rect x="${index % 8}" y="${Math.floor(index / 8)}" width="1" height="1"/>` : '',
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 ${code.length}">${squares.join('')}</svg>`;
}

/** A PNG of one black pixel. */
const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
	'base64',
);

/**
 * Another host on which the service stores pictures: PNG at /files/<code>.png.
 * @param seen is told of each request
 */
export function createPictureStore(seen: (request: PictureRequest) => void): FastifyInstance {
	const server = fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
	server.get('/files/*', async (request, reply) => {
		const authorized = request.headers.authorization !== undefined;
		seen({ at: Date.now(), host: 'store', path: request.url, authorized, cookie: request.headers.cookie });
		return await reply.type('image/png').send(PNG);
	});
	return server;
}
