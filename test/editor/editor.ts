import { existsSync } from 'fs';
import { join } from 'path';
import { type Browser, chromium, type Locator, type Page, selectors } from 'playwright-core';
import { inARow, LINK_MANAGEMENT, type N8nSession, NODE_TYPE, type WorkflowJson } from '../n8n/host';
import { oneAccount, sharedN8n } from '../n8n/host/shared';
import type { Sandbox, SandboxOptions } from '../sandbox';
import { isOld, noteTaken, pictureNames, PICTURES } from '../documentation/pictures';
import { eventually } from './eventually';

const TIMEOUT_MS = 90_000;
/** A list that was clicked at opens at once, or not at all. */
const LIST_TIMEOUT_MS = 1500;
const FADE_MS = 500;
const VIEWPORT = { width: 1440, height: 900 };

/** Where Chromium lies when CHROMIUM_PATH doesn't say. */
const CHROMIUM = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The first line of each text: what stands above, such as a label without its buttons. */
async function firstLines(locator: Locator): Promise<string[]> {
	return (await locator.allInnerTexts()).map((text) => text.trim().split('\n')[0].trim());
}

function exactly(text: string): RegExp {
	return new RegExp(`^\\s*${text.replace(/[()]/g, '\\$&')}\\s*$`);
}

/** n8n's editor in a browser, used as a person would. */
export class Editor {
	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
		private readonly n8n: N8nSession,
	) {}

	/**
	 * Opens a headless browser and signs in as n8n's owner.
	 *
	 * @param options.dark whether the browser asks for dark pages, which n8n's theme follows
	 * @throws {Error} when there is no Chromium on the machine
	 */
	static async open(n8n: N8nSession, { dark = false } = {}): Promise<Editor> {
		const executablePath = process.env.CHROMIUM_PATH ?? CHROMIUM.find((path) => existsSync(path));
		if (executablePath === undefined)
			throw new Error(
				'The editor tests need Chromium: install it (on Debian: apt-get install chromium), or set CHROMIUM_PATH.',
			);
		// n8n's editor marks its parts with this attribute.
		selectors.setTestIdAttribute('data-test-id');
		const browser = await chromium.launch({ executablePath, args: ['--disable-gpu', '--disable-quic'] });
		try {
			const context = await browser.newContext({ viewport: VIEWPORT, colorScheme: dark ? 'dark' : 'light' });
			context.setDefaultTimeout(TIMEOUT_MS);
			const page = await context.newPage();
			const editor = new Editor(browser, page, n8n);
			await editor.signIn();
			return editor;
		} catch (error) {
			await browser.close();
			throw error;
		}
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Saves a workflow over n8n's REST interface and opens it. */
	async openWorkflow(workflow: WorkflowJson): Promise<void> {
		const id = await this.n8n.createWorkflow({ name: 'Short links', ...workflow });
		// A fresh page: n8n's editor moves within one page otherwise, and keeps what was open in it.
		await this.page.goto('about:blank');
		await this.page.goto(`${this.n8n.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Opens the canvas of a workflow that is not there yet. */
	async openEmptyCanvas(): Promise<void> {
		await this.page.goto('about:blank');
		await this.page.goto(`${this.n8n.url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').waitFor();
	}

	/** A manual trigger and, after it, the Link Management node with these parameters, open. */
	async openNodeWith(parameters: WorkflowJson['nodes'][number]['parameters']): Promise<NodeView> {
		await this.openWorkflow(inARow({ name: LINK_MANAGEMENT, type: NODE_TYPE, parameters, position: [300, 0] }));
		return await this.openNode(LINK_MANAGEMENT);
	}

	async openNode(name: string): Promise<NodeView> {
		await this.page.getByTestId('canvas-node').filter({ hasText: name }).dblclick();
		return await this.openedNode();
	}

	/**
	 * Adds a node by the nodes panel, which n8n then opens.
	 *
	 * @param after where its plus sign is: an empty canvas, or the output or an input of a node
	 * @param words what is entered into the panel's search
	 * @param entries the names of what is chosen one after the other: the node, and one of its actions where it has several
	 */
	async addNode(after: Locator, words: string, ...entries: string[]): Promise<NodeView> {
		await after.click();
		const panel = await this.searchNodes(words);
		for (const entry of entries.slice(0, -1)) await panel.getByText(entry, { exact: true }).first().click();
		return await this.choose(panel, entries[entries.length - 1]);
	}

	/** Chooses a node, or an action of one, from the nodes panel. n8n opens it then. */
	async choose(panel: Locator, entry: string): Promise<NodeView> {
		await panel.getByText(entry, { exact: true }).first().click();
		return await this.openedNode();
	}

	/** The plus sign of an empty canvas. */
	get start(): Locator {
		return this.page.getByTestId('canvas-plus-button');
	}

	/** The plus sign at the output of a node, or at one of its inputs for models, tools and the like. */
	plusOf(node: string, input?: string): Locator {
		const own = this.page.locator(`[data-node-name="${node}"]`);
		const handle =
			input === undefined
				? own.locator('.canvas-node-handle-main-output')
				: own.locator('.canvas-node-handle-non-main-input').filter({ hasText: input });
		return handle.getByTestId('canvas-handle-plus');
	}

	get workflowId(): string {
		const id = /\/workflow\/(\w+)/.exec(this.page.url())?.[1];
		if (id === undefined || id === 'new') throw new Error('No saved workflow is open.');
		return id;
	}

	/** Publishes the workflow that is open. @returns what n8n says then */
	async publish(): Promise<Locator> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		return this.page.getByRole('dialog').filter({ hasText: 'Workflow published' });
	}

	private async openedNode(): Promise<NodeView> {
		const view = this.page.getByTestId('ndv');
		await view.getByTestId('node-parameters').waitFor();
		return new NodeView(this.page, view);
	}

	async searchNodes(words: string): Promise<Locator> {
		const panel = this.page.getByTestId('node-creator');
		if (!(await panel.isVisible())) {
			await this.page
				.getByTestId('node-creator-plus-button')
				.or(this.page.getByTestId('canvas-plus-button'))
				.first()
				.click();
		}
		await panel.getByTestId('node-creator-search-bar').fill(words);
		return panel;
	}

	/**
	 * Takes a picture of the window. With UPDATE_PICTURES=true it goes to docs/images where the one that is there shows an older node, with
	 * UPDATE_PICTURES=all in any case, and nowhere otherwise.
	 *
	 * @param name the picture's name without ending
	 * @param part of the window; default: all of it
	 */
	async picture(name: string, part?: Part): Promise<void> {
		if (!pictureNames.includes(name)) throw new Error(`Nobody says what the picture "${name}" shows.`);
		await this.page.mouse.move(0, 0);
		const { UPDATE_PICTURES: update } = process.env;
		const isKept = update === 'all' || (update === 'true' && isOld(name));
		const path = isKept ? join(PICTURES, `${name}.png`) : undefined;
		// What is entered into fields is no text of the page.
		const entered = "[...document.querySelectorAll('input')].map((input) => input.value).join(' ')";
		const shown = await this.page.evaluate<string>(`document.body.innerText + ${entered}`);
		expect(shown).not.toContain('127.0.0.1');
		// Buttons fade from one state to the next; notices and tooltips come and go.
		await this.page.waitForTimeout(FADE_MS);
		const picture = await this.page.screenshot({
			path,
			clip: part,
			animations: 'disabled',
			caret: 'hide',
			style: '.el-notification, .n8n-tooltip { display: none !important }',
		});
		if (picture.length === 0) throw new Error(`The picture "${name}" is empty.`);
		if (isKept) noteTaken(name);
	}

	private async signIn(): Promise<void> {
		await this.page.goto(`${this.n8n.url}/signin`);
		await this.page.getByTestId('emailOrLdapLoginId').locator('input').fill(this.n8n.owner.email);
		await this.page.getByTestId('password').locator('input').fill(this.n8n.owner.password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL(/\/home\//);
	}
}

/** A part of the window, in pixels. */
interface Part {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Below the last thing that a part shows. */
const MARGIN = 16;

/** An open node: its parameters and what it put out. */
class NodeView {
	readonly parameters: Locator;

	readonly output: Locator;

	constructor(
		private readonly page: Page,
		readonly view: Locator,
	) {
		this.parameters = view.getByTestId('node-parameters');
		this.output = view.getByTestId('output-panel');
	}

	/** The part with the parameters and the output, without the input. @param last the placeholder of the field up to which it goes */
	async withoutInput(last: string): Promise<Part> {
		const all = [this.view, this.view.getByTestId('ndv-input-panel'), this.parameters.getByPlaceholder(last).first()];
		const [whole, input, button] = await Promise.all(all.map(async (one) => await one.boundingBox()));
		if (!whole || !input || !button) throw new Error('The node is not open.');
		const x = input.x + input.width;
		const bottom = button.y + button.height + MARGIN;
		return { x, y: input.y, width: whole.x + whole.width - x, height: bottom - input.y };
	}

	/** The labels of all parameters that show, in their order. */
	async labels(): Promise<string[]> {
		// The Settings tab is there too, hidden.
		return await firstLines(this.parameters.getByTestId('input-label').filter({ visible: true }));
	}

	field(parameter: string): Locator {
		return this.parameters.getByTestId(`parameter-input-${parameter}`);
	}

	async fill(parameter: string, text: string): Promise<void> {
		await this.field(parameter).locator('input, textarea').first().fill(text);
	}

	async newCredential(): Promise<Locator> {
		await this.parameters.getByText('Connect to Link Management').click();
		return this.page.getByTestId('editCredential-modal');
	}

	/** Opens the credential of the node. */
	async editCredential(): Promise<Locator> {
		await this.parameters.getByTestId('credential-edit-button').click();
		return this.page.getByTestId('editCredential-modal');
	}

	/** Opens the list of a record to choose, and types into its search. @returns the list's entries */
	async searchList(parameter: string, words: string): Promise<Locator> {
		await this.field(parameter).getByTestId('rlc-input').click();
		await this.page
			.getByTestId('rlc-search')
			.locator('input')
			.or(this.page.locator('input[data-test-id=rlc-search]'))
			.fill(words);
		return this.page.getByTestId('rlc-item').filter({ visible: true });
	}

	/** Chooses an entry of a selector that takes several. */
	async chooseOneMore(parameter: string, name: string): Promise<void> {
		const entry = this.page.getByRole('option').filter({ visible: true, hasText: exactly(name) });
		await eventually(async () => {
			// Nothing opens as long as the list is being loaded.
			if (!(await entry.isVisible())) await this.field(parameter).click();
			await entry.click({ timeout: LIST_TIMEOUT_MS });
		});
		await this.page.keyboard.press('Escape');
		await entry.waitFor({ state: 'hidden' });
	}

	/** Drags a field of the input to where fields are dropped. */
	async drag(field: string, to: Locator): Promise<void> {
		await this.view.getByTestId('ndv-input-panel').locator(`[data-target=mappable][data-name="${field}"]`).hover();
		await this.page.mouse.down();
		// n8n starts to drag with the second move.
		await to.hover();
		await to.hover({ position: { x: 20, y: 20 } });
		await this.page.mouse.up();
	}

	/** Leaves a parameter to the model that uses the node as a tool. */
	async leaveToModel(parameter: string): Promise<void> {
		const item = this.parameters
			.getByTestId('parameter-item')
			.filter({ has: this.page.getByTestId(`parameter-input-${parameter}`) })
			.last();
		await item.hover();
		await item.getByTestId('from-ai-override-button').click();
	}

	/** Goes back to the canvas. */
	async close(): Promise<void> {
		await this.view.getByTestId('ndv-close-button').click();
		await this.view.waitFor({ state: 'hidden' });
	}

	/** Opens the list of a selector. @returns its entries */
	private async openList(parameter: string): Promise<Locator> {
		await this.field(parameter).click();
		const entries = this.page.getByTestId('parameter-input-item').filter({ visible: true });
		await entries.first().waitFor();
		return entries;
	}

	async choose(parameter: string, name: string): Promise<void> {
		const entries = await this.openList(parameter);
		await entries.filter({ has: this.page.locator('.option-headline', { hasText: exactly(name) }) }).click();
		await entries.first().waitFor({ state: 'hidden' });
	}

	async add(collection: string, field: string): Promise<void> {
		const { entries } = await this.openAdditions(collection);
		if (await entries.first().isVisible()) await entries.filter({ hasText: exactly(field) }).click();
		await this.parameters.getByText(exactly(field)).filter({ visible: true }).first().waitFor();
	}

	/** Runs the node and waits for the end, good or bad. */
	async execute(): Promise<void> {
		const ended = this.page.waitForResponse(
			async (response) => response.url().includes('/rest/workflows/') && response.url().endsWith('/run'),
		);
		await this.view.getByTestId('node-execute-button').click();
		await ended;
		await this.view
			.getByTestId('node-execute-button')
			.filter({ hasNotText: /executing|listening|stop/i })
			.waitFor();
		await this.output
			.getByTestId('node-run-info')
			// n8n marks what it shows as old where a choice got its name meanwhile.
			.or(this.output.getByTestId('node-run-info-stale'))
			.waitFor();
	}

	/**
	 * Clicks at the button of an empty collection. Either the list of its fields opens, or, when there is one alone, n8n adds
	 * that field at once.
	 */
	private async openAdditions(collection: string): Promise<{ entries: Locator; added: Locator }> {
		const item = this.parameters
			.getByTestId('parameter-item')
			.filter({ has: this.page.getByTestId('input-label').filter({ hasText: exactly(collection) }) });
		const entries = this.page.getByTestId('collection-parameter-option').filter({ visible: true });
		const added = item.getByTestId('parameter-item').first();
		// What is there already does not tell that the list is open.
		const awaited = (await added.isVisible()) ? entries : entries.or(added);
		// A click goes astray when the form below the operation is drawn again at that moment.
		await eventually(async () => {
			await item.getByTestId('collection-parameter-add').first().click();
			await awaited.first().waitFor({ timeout: LIST_TIMEOUT_MS });
		});
		return { entries, added };
	}
}

/** Enters text into the fields of a credential's form, and saves it. */
export async function enterCredential(form: Locator, fields: Record<string, string>): Promise<void> {
	for (const [name, text] of Object.entries(fields))
		await form.getByTestId(`parameter-input-${name}`).locator('input').fill(text);
	await form.getByTestId('credential-save-button').click();
}

/**
 * Gives the tests of a file an editor, and a service without a limit of which n8n has the credential.
 *
 * @param options what else is special about the service
 * @param give is handed them before the first test
 */
export function openEditor(
	options: SandboxOptions,
	give: (opened: { sandbox: Sandbox; editor: Editor }) => unknown,
): void {
	let editor: Editor | undefined;

	oneAccount(options, async (sandbox) => {
		editor = await Editor.open(sharedN8n());
		await give({ sandbox, editor });
	});

	afterAll(async () => {
		await editor?.close();
	});
}
