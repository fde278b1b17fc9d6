/**
 * All test files of a process run among the same globals, as the parts of one n8n do. n8n-core needs packages that Jest can't load (ES
 * modules), so Node loads it, once a process (packages.js); and its errors and arrays have to be those of the tests. What a file replaced is
 * as before when the next one begins.
 */
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { compileFunction } = vm;
const { console } = globalThis;
/** Where Jest keeps the time-out of a file's tests (jest.setTimeout). */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
/** What Jest takes for the context of the tests. */
const HERE = {};

vm.compileFunction = (code, names, { parsingContext, ...options }) =>
	compileFunction(code, names, parsingContext === HERE ? options : { ...options, parsingContext });

module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.global = Object.assign(
			globalThis,
			{ SANDBOX_DIALECT: undefined, requireOnce: require },
			config.projectConfig.globals,
		);
		this.moduleMocker = new this.moduleMocker.constructor(globalThis);
	}

	async teardown() {
		this.moduleMocker.restoreAllMocks();
		delete this.global[TIMEOUT];
		globalThis.console = console;
		await super.teardown();
	}

	getVmContext() {
		return HERE;
	}
};
