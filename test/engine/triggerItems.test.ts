/** What the trigger's items hold, in both dialects of the service. */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS } from '../sandbox';
import { active, newLink, newQr, sandbox, scan, speaking } from './triggerService';

describe.each(DIALECTS)('in the dialect of the %s', (dialect) => {
	speaking(dialect);

	describe.each([
		['linkClicked', 'linkIds', async () => await newLink({ title: 'Own', clicks: 3 })],
		['qrCodeScanned', 'qrCodeIds', async () => await newQr({ name: 'Own', scans: 3 })],
	] as const)('%s', (event, ids, make) => {
		it('has the same fields whether all or chosen records are watched', async () => {
			const { id } = await make();
			const of = async (more: IDataObject) => {
				const host = await active({ event, ...more });
				await (event === 'linkClicked' ? sandbox.simulate({ clicks: [{ id, count: 1 }] }) : scan(id, 1));
				const [[item], [shown]] = [await host.poll(), await host.fetchTestEvent()];
				expect(Object.keys(item)[0]).toBe('event');
				return [item, shown].map((one) => Object.keys(one).sort());
			};
			const all = await of({ watch: 'all' });
			expect(await of({ watch: 'selected', [ids]: [id] })).toEqual(all);
			expect(all[0]).toContain(event === 'linkClicked' ? 'alias' : 'name');
		});
	});
});
