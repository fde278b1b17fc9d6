/**
 * Lets this process's clock go a thousandth as fast until the mocks are restored: a service seems quick then, however busy
 * the machine is.
 */
export function slowClock(): void {
	const now = Date.now.bind(Date);
	const begin = now();
	jest.spyOn(Date, 'now').mockImplementation(() => begin + Math.floor((now() - begin) / 1000));
}
