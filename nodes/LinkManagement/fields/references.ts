import { RecordName, ShortUrl, type NamedKind } from '../execution/references';
import { ValueError, type Rule } from '../execution/request';
import { asId, id, quoted, spelled } from './rules';

/** A campaign or channel, by its ID or its name. A name in a place for IDs is taken for what it is. */
function byIdOrName(kind: NamedKind): Rule {
	return (value, { mode }) => {
		if (value === undefined) return undefined;
		const given = mode === 'name' ? undefined : asId(value);
		if (given !== undefined) return given;
		const name = spelled(value);
		if (typeof value === 'object' || (mode !== 'name' && /^[-+]?\d[\d.,]*$/.test(name)))
			return id(value, { label: '', timezone: '' });
		return new RecordName(kind, name);
	};
}

export const campaignReference = byIdOrName('campaign');
export const channelReference = byIdOrName('channel');

/** A link by its ID or its short URL; an address in a place for IDs is taken for what it is. */
export const linkReference: Rule = (value, source) => {
	if (value === undefined) return undefined;
	const given = source.mode === 'shortUrl' ? undefined : asId(value);
	if (given !== undefined) return given;
	const text = spelled(value);
	if (source.mode !== 'shortUrl' && !/^https?:/i.test(text)) {
		throw new ValueError(
			`is not an ID: ${quoted(value)}`,
			'Choose from the list, or enter the ID of the link, such as 12, or its whole short URL, such as https://lnk.example/spring',
		);
	}
	const reference = new ShortUrl(text);
	if (reference.candidates.length > 0) return reference;
	throw new ValueError(
		`is not a short URL: ${quoted(value)}`,
		'Enter the whole short URL, for example https://lnk.example/spring',
	);
};
