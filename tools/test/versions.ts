/**
 * n8n versions that `npm run test:versions` tests besides the newest: the last 1.x, the first 2.x, and one half-way.
 * The README's table says the same.
 */
export const OTHER_N8N = ['1.123.81', '2.0.3', '2.20.12'];
