import { nameFieldOf } from '../../account/findNamed';
import { eachRecord } from '../../fields/output';

/** Campaigns carry their name in `name`, wherever the service puts it. */
export const nameInItsPlace = eachRecord((record) => {
	const field = nameFieldOf(record);
	if (field === undefined || field === 'name') return record;
	const { [field]: name, ...campaign } = record;
	return { ...campaign, name };
});
