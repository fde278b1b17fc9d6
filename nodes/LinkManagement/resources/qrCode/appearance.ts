import { colorField, textField } from '../../fields/inputs';
import { rgbColor } from '../../fields/rules';
import type { Field } from '../../run/request';

/** How a QR code looks. */
export const appearance: Field[] = [
	colorField('Background', 'background', '#FFFFFF', {
		description: 'Color behind the code, as #RRGGBB',
		rule: rgbColor,
	}),
	colorField('Foreground', 'foreground', '#000000', {
		description: 'Color of the code itself, as #RRGGBB',
		rule: rgbColor,
	}),
	textField('Logo', 'logo', {
		placeholder: 'e.g. https://example.com/logo.png',
		description: 'PNG or JPG logo for the middle: path or address',
	}),
];
