import type { Behaviour } from './dialect';
import { ServiceError, type Call, type Operating, type Operations } from './operation';
import { accountOperations } from './operations/account';
import { campaignOperations } from './operations/campaigns';
import { channelOperations } from './operations/channels';
import { domainOperations } from './operations/domains';
import { linkOperations } from './operations/links';
import { overlayOperations } from './operations/overlays';
import { pixelOperations } from './operations/pixels';
import { qrCodeOperations } from './operations/qrCodes';
import { Pages, type ShownPage } from './pages';
import { formatMoment, type Store, type StoredLink } from './records';

/** The service's operations, by the contract's operationId, over a store of records; and its short addresses. */
export class Service {
	private readonly pages: Pages;

	private readonly operations: Operations;

	/**
	 * @param store the records
	 * @param base the service's address, to which short links are appended; no slash at its end
	 * @param behaviour read again by each call
	 * @param serviceNow the service's clock, in milliseconds
	 */
	constructor(
		private readonly store: Store,
		private readonly base: string,
		private readonly behaviour: Behaviour,
		private readonly serviceNow: () => number,
	) {
		this.pages = new Pages(behaviour);
		const operating: Operating = {
			store,
			base,
			behaviour,
			now: serviceNow,
			pages: this.pages,
			ownAddress: () => this.ownAddress(),
			shortUrl: (link) => this.shortUrl(link),
		};
		this.operations = {
			...accountOperations(operating),
			...campaignOperations(operating),
			...channelOperations(operating),
			...domainOperations(operating),
			...linkOperations(operating),
			...overlayOperations(operating),
			...pixelOperations(operating),
			...qrCodeOperations(operating),
		};
	}

	/** The list page that the last call answered with. */
	get shown(): ShownPage | undefined {
		return this.pages.shown;
	}

	/** Does an operation's work. @throws ServiceError for what the service refuses. */
	call(operationId: string, call: Call): Record<string, unknown> {
		this.pages.shown = undefined;
		const operation = this.operations[operationId];
		if (!operation) throw new Error(`The sandbox has no operation ${operationId}`);
		if (isCreation(operationId) && this.behaviour.planFull !== 'room') {
			throw new ServiceError('Your plan has no room for more.', 'planFull');
		}
		return operation(call);
	}

	/** Whether the service has a behaviour for this operation of the contract. */
	has(operationId: string): boolean {
		return operationId in this.operations;
	}

	/** The address of a short link. */
	shortUrl(link: StoredLink): string {
		return `${link.domain || this.ownAddress()}/${link.alias}`;
	}

	/** A visitor of a short link. @returns where to send the visitor, or undefined when there is no such link. */
	visitLink(alias: string): string | undefined {
		const link = this.store.linkAt('', alias);
		if (!link || (link.expiry !== null && link.expiry <= formatMoment(this.serviceNow()))) return undefined;
		this.store.click(link.id, 1, 1, 'visitor');
		return link.longurl;
	}

	hasQr(code: string): boolean {
		return this.store.qrAt(code) !== undefined;
	}

	/** A visitor who scanned a QR code. @returns its content, or undefined when there is no such code. */
	visitQr(code: string): unknown {
		const qr = this.store.qrAt(code);
		if (!qr) return undefined;
		this.store.scan(qr.id, 1, 1, 'visitor');
		return qr.data;
	}

	/** The other name of this machine is another host that leads to the same links. */
	private ownAddress(): string {
		if (!this.behaviour.shortLinksElsewhere) return this.base;
		const address = new URL(this.base);
		address.hostname = address.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
		return address.origin;
	}
}

/** Whether an operation makes a record. */
export function isCreation(operationId: string): boolean {
	return operationId.endsWith('Create');
}
