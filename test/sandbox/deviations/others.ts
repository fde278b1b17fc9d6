import { oneOf, wholeNumber, yesOrNo } from './kinds';

/** Campaigns, channels and QR codes. */
export const OTHERS = {
	campaignNameIn: oneOf("Where the creation and the update of a campaign answer with the campaign's name", {
		domain: 'in domain',
		campaign: 'in campaign',
	}),
	capitalNames: yesOrNo('The first letter of the name of a campaign or channel becomes a capital'),
	uniqueNames: yesOrNo(
		'A campaign needs a name; duplicate names of campaigns and channels, to the letter, are refused (HTTP 400)',
	),
	shortestName: wholeNumber('So many characters has a name of a campaign or channel at least', [0, 2]),
	channelUpdateReply: oneOf('The answer to the update of a channel', {
		message: 'a message',
		channel: 'the whole channel',
	}),
	wrongQrData: oneOf('The answer to data that does not suit the type of a QR code', {
		envelope: 'the error envelope',
		page: 'HTTP 500 with a page',
	}),
	qrTypes: oneOf('The types of QR codes that are taken', {
		document: 'those of the document',
		more: 'whatsapp, smsonly, application, crypto and staticvcard as well',
	}),
	qrLink: oneOf('What the link of a QR code leads to', {
		picture: 'the picture (SVG)',
		storedPicture: 'the picture: SVG at first, later calls are redirected to a stored file on another host',
	}),
	qrDateInData: yesOrNo("A QR code's details have the timestamp in data where the document says date"),
	qrStatistics: oneOf('Which QR codes have statistics', { all: 'all', links: 'those that lead to a link' }),
	qrUpdateType: oneOf('The type in the update of a QR code', {
		taken: 'changes the type',
		ignored: 'is ignored',
	}),
};
