import type { IDataObject } from 'n8n-workflow';
import { Receiver } from './example';
import type { N8nSession } from './host';

/** What a model does next: it calls a tool, or answers. */
type Turn = string | { tool: string; input: IDataObject };

interface ChatRequest {
	messages: Array<{ role: string; content: string }>;
	tools: Array<{ function: { name: string } }>;
}

/**
 * Stands in for a chat model that speaks OpenAI's API (`POST …/chat/completions`), of which n8n has the credential.
 *
 * @param next decides from what the tools have said in the conversation so far, and from the names of the tools that there are
 */
export async function startScriptedModel(
	n8n: N8nSession,
	next: (told: string[], tools: string[]) => Turn,
): Promise<void> {
	const { url } = await Receiver.start((body) => {
		const { messages, tools } = body as ChatRequest;
		const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
		const turn = next(
			told,
			tools.map((tool) => tool.function.name),
		);
		const call = typeof turn !== 'string' && {
			id: `call-${told.length}`,
			type: 'function',
			function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
		};
		return {
			id: 'answer',
			object: 'chat.completion',
			created: 0,
			model: 'scripted',
			choices: [
				{
					index: 0,
					message: call
						? { role: 'assistant', content: null, tool_calls: [call] }
						: { role: 'assistant', content: turn },
					finish_reason: call ? 'tool_calls' : 'stop',
				},
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	await n8n.createCredential({ apiKey: 'none', url: `${url}/v1` }, { type: 'openAiApi', name: 'Scripted' });
}
