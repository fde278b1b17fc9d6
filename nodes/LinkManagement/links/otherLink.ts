/** Errors of a service that gives another link than was asked for. */
import type { IDataObject } from 'n8n-workflow';

import { DoneOtherwiseError } from '../service/errors';
import { asText } from '../service/records';
import type { LinkFields } from './linkFields';
import { itemRecord } from './linkRow';
import { aboutLink, describeLink, type LinkRecord } from './reference';
import { aliasOf, hostOf, isSameAddress } from './url';

export interface CreatedLink {
	/** The service's record of it, with `id`, `shorturl`, `alias` and `longurl`. */
	record: IDataObject;
	/** It existed before, as far as that can be known. */
	existing: boolean;
	/** What it lacks of the request. */
	dropped?: 'alias' | 'domain';
}

/**
 * What a created link lacks of the request (field notes, "Resources"). An alias that the service writes in lower case is not dropped.
 */
export function droppedOf({ shorturl }: LinkRecord, { custom, domain }: LinkFields): 'alias' | 'domain' | undefined {
	const alias = aliasOf({ shorturl });
	const host = hostOf(shorturl);
	if (custom !== undefined && alias !== undefined && alias.toLowerCase() !== asText(custom).toLowerCase())
		return 'alias';
	return domain !== undefined && host !== undefined && host !== hostOf(domain) ? 'domain' : undefined;
}

const TO_ACCEPT =
	'To accept this link, use the operation Create with Options → If Alias Exists → Return Existing Link.';

/** The service gave another link than was asked for. The error shows it, so that nothing is lost. */
export class OtherLinkError extends DoneOtherwiseError {
	constructor(
		readonly link: CreatedLink,
		message: string,
		advice: string,
	) {
		super(message, advice);
		aboutLink(this, link.record);
	}
}

/** The error of a creation that was answered with another link. */
export function wrongLink(link: CreatedLink, { custom, domain }: LinkFields): OtherLinkError {
	const [differs, advice] =
		link.dropped === 'alias'
			? [
					`whose alias is not "${asText(custom)}"`,
					`Either the long URL already had this link, or your plan does not include custom aliases. ${TO_ACCEPT}`,
				]
			: [
					`which is not on the domain ${asText(domain)}`,
					'Check that the domain belongs to the account and that your plan includes it. The link was created, or existed before.',
				];
	return new OtherLinkError(link, `The service gave the link ${describeLink(link.record)}, ${differs}`, advice);
}

/** The error of a creation that may be a duplicate: only the user can decide. */
export function possibleDuplicate(
	there: LinkRecord,
	fields: LinkFields,
	dropped: 'alias' | 'domain',
): DoneOtherwiseError {
	const { id, shorturl, alias, longurl } = there;
	if (!isSameAddress(longurl, fields.url)) {
		const error = new DoneOtherwiseError(
			`The service drops the ${dropped} of new links, and the link ${describeLink(there)} has the long URL of this row in another spelling: ${asText(longurl)}`,
			'No link was created for this row. If it is the same page, write the long URL as the service has it. Otherwise create the link at the service.',
		);
		return aboutLink(error, there);
	}
	const record = itemRecord({ id, shorturl, alias, longurl });
	const [included, accept] =
		fields.custom === undefined
			? ['this domain', 'To use this link, leave the domain of the row empty.']
			: [dropped === 'alias' ? 'custom aliases' : 'this domain', TO_ACCEPT];
	return new OtherLinkError(
		{ record, existing: true, dropped: droppedOf(record, fields) },
		`The service drops the ${dropped} of new links, and the long URL of this row already has the link ${describeLink(record)}`,
		`No link was created for this row. Check that your plan includes ${included}. ${accept}`,
	);
}
