import { change } from '../../fields/alike';
import { updateFields } from '../../fields/collections';
import { qrCodeId } from '../../fields/locators';
import { appearance } from './appearance';
import { contentOfAnyType, putContentOfAnyType, type } from './content';

const fields = [qrCodeId, ...contentOfAnyType, updateFields('qrCode', [...appearance, type])];

export const update = change('a QR code', '/api/qr/:qrCodeId/update', fields, {
	description: 'Change the content, type or look of a QR code. The service wants the content with every update.',
	complete: putContentOfAnyType,
});
