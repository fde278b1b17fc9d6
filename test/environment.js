/**
 * All test files of a process run among the same globals, as the parts of one n8n do, so that the packages that they use are
 * loaded once a process (packages.js). What a file replaced is as before when the next one begins.
 */
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { compileFunction } = vm;
const { console } = globalThis;
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
		globalThis.console = console;
		await super.teardown();
	}

	getVmContext() {
		return HERE;
	}
};
