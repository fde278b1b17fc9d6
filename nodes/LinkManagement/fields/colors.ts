import { type Rule } from '../run/request';
import { ValueError } from '../service/errors';
import { quoted, single, spelled } from './rules';

/** A color in HEX, as the service wants it for channels: #RRGGBB. Short and bare forms are completed. */
export const hexColor: Rule = single((value) => {
	const channels = colorChannels(value);
	return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
});

/** A color as rgb(r,g,b), as the service wants it for QR codes. */
export const rgbColor: Rule = single((value) => `rgb(${colorChannels(value).join(',')})`);

function colorChannels(value: unknown): number[] {
	const color = spelled(value).toLowerCase();
	const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6}(?:[0-9a-f]{2})?)$/.exec(color)?.[1];
	if (hex !== undefined) {
		const long = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex.slice(0, 6);
		return [0, 2, 4].map((start) => parseInt(long.slice(start, start + 2), 16));
	}
	const parts = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*[\d.]{1,5}\s*)?\)$/.exec(color);
	const channels = parts?.slice(1, 4).map(Number);
	if (channels?.every((channel) => channel <= 255)) return channels;
	throw new ValueError(`is not a color: ${quoted(value)}`, 'Enter a color such as #1A2B3C or rgb(26,43,60).');
}
