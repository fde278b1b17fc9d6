/** Parsers of colors. */
import type { Parser } from '../run/request';
import { ValueError } from '../service/answer/errors';
import { quoted, valueParser, visibleText } from './parsers';

function channelsOf(value: unknown): number[] {
	const color = visibleText(value).toLowerCase();
	const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6}(?:[0-9a-f]{2})?)$/.exec(color)?.[1];
	if (hex !== undefined) {
		const long = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
		return [0, 2, 4].map((start) => parseInt(long.slice(start, start + 2), 16));
	}
	const parts = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*[\d.]{1,5}\s*)?\)$/.exec(color);
	const channels = parts?.slice(1, 4).map(Number);
	if (channels?.every((channel) => channel <= 255)) return channels;
	throw new ValueError(`is not a color: ${quoted(value)}`, 'Enter a color such as #1A2B3C or rgb(26,43,60).');
}

/** A color as #RRGGBB, which the service expects for channels. Short and bare forms are completed. */
export const hexColor: Parser<string> = valueParser(
	(value) =>
		`#${channelsOf(value)
			.map((channel) => channel.toString(16).padStart(2, '0'))
			.join('')}`,
);

/** A color as rgb(r,g,b), which the service expects for QR codes. */
export const rgbColor: Parser<string> = valueParser((value) => `rgb(${channelsOf(value).join(',')})`);
