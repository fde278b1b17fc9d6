import { done, ServiceError, text, type Operating, type Operations } from '../operation';

export function accountOperations({ behavior }: Operating): Operations {
	const account = {
		id: 1,
		email: 'owner@example.com',
		username: USERNAME,
		avatar: 'https://www.example.com/avatar.png',
		status: 'pro',
		expires: '2030-01-01 00:00:00',
		registered: '2023-05-04 10:20:30',
	};
	return {
		accountGet: () => ({ error: 0, data: { ...account, ...(behavior.moreFields ? { planid: 2 } : {}) } }),
		accountUpdate: ({ body }) => {
			if (body.email !== undefined) {
				if (!/^[^@\s]+@[^@\s]+$/.test(text(body.email))) throw new ServiceError('Please enter a valid email.', 'value');
				account.email = text(body.email);
			}
			if (body.password !== undefined && text(body.password).length < 5) {
				throw new ServiceError('Password must be at least 5 characters.', 'value');
			}
			return done('Account has been successfully updated.');
		},
	};
}

/** Whose account it is; list pages of campaigns carry the name. */
export const USERNAME = 'owner';
