import type { Behavior } from './dialect';
import { ServiceError, type Call, type Operations } from './operation';
import { accountOperations } from './operations/account';
import { campaignOperations } from './operations/campaigns';
import { channelOperations } from './operations/channels';
import { domainOperations } from './operations/domains';
import { linkOperations } from './operations/links';
import { overlayOperations } from './operations/overlays';
import { pixelOperations } from './operations/pixels';
import { qrCodeOperations } from './operations/qrCodes';
import { Pages } from './pages';
import { formatMoment, type Store, type StoredLink, type StoredQr } from './records';

/** The service's operations, by the contract's operationId, over a store of records; and its short addresses. */
export class Service {
	readonly pages: Pages;

	private readonly operations: Operations;

	/**
	 * @param store the records
	 * @param base the service's address, to which short links are appended; no slash at its end
	 * @param behavior read again by each call
	 */
	constructor(
		readonly store: Store,
		readonly base: string,
		readonly behavior: Behavior,
	) {
		this.pages = new Pages(behavior);
		this.operations = {
			...accountOperations(this),
			...campaignOperations(this),
			...channelOperations(this),
			...domainOperations(this),
			...linkOperations(this),
			...overlayOperations(this),
			...pixelOperations(this),
			...qrCodeOperations(this),
		};
	}

	/** Where short links without a domain of their own stand: the other name of this machine is another host, to the same links. */
	readonly ownAddress = (): string => {
		if (!this.behavior.shortLinksElsewhere) return this.base;
		const address = new URL(this.base);
		address.hostname = address.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
		return address.origin;
	};

	/** The address of a short link. */
	readonly shortUrl = (link: StoredLink): string => `${link.domain || this.ownAddress()}/${link.alias}`;

	/** The collection of the page that the last call answered with. */
	get shown(): string | undefined {
		return this.pages.shown;
	}

	/** Does an operation's work; undefined where it has no behavior for it. @throws ServiceError for what the service refuses. */
	call(operationId: string, call: Call): Record<string, unknown> | undefined {
		this.pages.shown = undefined;
		if (isCreation(operationId) && this.behavior.planFull !== 'room') {
			throw new ServiceError('Your plan has no room for more.', 'planFull');
		}
		return this.operations[operationId]?.(call);
	}

	/** A visitor of a short link. @returns where to send the visitor, or undefined when there is no such link. */
	visitLink(alias: string): string | undefined {
		const link = this.store.linkAt('', alias);
		if (!link || (link.expiry !== null && link.expiry <= formatMoment(Date.now()))) return undefined;
		this.store.count('links', link.id, 1, 1, 'visitor');
		return link.longurl;
	}

	private codeAt(code: string): StoredQr | undefined {
		return this.store.qrs.find((qr) => qr.code === code);
	}

	hasQr(code: string): boolean {
		return this.codeAt(code) !== undefined;
	}

	/** A visitor who scanned a QR code. @returns its content, or undefined when there is no such code */
	visitQr(code: string): unknown {
		const qr = this.codeAt(code);
		if (qr === undefined) return undefined;
		this.store.count('qrs', qr.id, 1, 1, 'visitor');
		return qr.data;
	}
}

/** Whether an operation makes a record. */
export function isCreation(operationId: string): boolean {
	return operationId.endsWith('Create');
}
