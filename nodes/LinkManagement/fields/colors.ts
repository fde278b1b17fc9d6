/** Parsers of colors. */
import { parserOf, visibleText } from './parsers';

const HEX = /^#?([0-9a-f]{6})$/i;
const RGB = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;

/** @param write makes the form that the service expects of red, green and blue */
const colorIn = (write: (channels: number[]) => string) =>
	parserOf(
		(value) => {
			const [, hex] = HEX.exec(visibleText(value)) ?? [];
			const rgb = RGB.exec(visibleText(value))?.slice(1).map(Number) ?? [NaN];
			const channels = hex === undefined ? rgb : [...Buffer.from(hex, 'hex')];
			return channels.every((channel) => channel <= 255) ? write(channels) : undefined;
		},
		'is not a color',
		'Enter a color such as #1A2B3C or rgb(26,43,60).',
	);

/** A color as #RRGGBB, which the service expects for channels. */
export const hexColor = colorIn((channels) => `#${Buffer.from(channels).toString('hex')}`);

/** A color as rgb(r,g,b), which the service expects for QR codes. */
export const rgbColor = colorIn((channels) => `rgb(${channels.join(',')})`);
