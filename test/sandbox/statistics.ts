const NETWORKS = ['facebook', 'twitter', 'linkedin'] as const;

/** Splits a count by name, as the service does: counts as text, but whole numbers for the social networks. */
export function statistics(count: number, empty: unknown): Record<string, unknown> {
	const half = Math.ceil(count / 2);
	const split = (first: string, second: string): unknown => {
		if (count === 0) return empty;
		return count - half > 0 ? { [first]: String(half), [second]: String(count - half) } : { [first]: String(half) };
	};
	return {
		topCountries: split('Germany', 'France'),
		topReferrers: split('Direct, email and other', 'https://www.example.org'),
		topBrowsers: split('Chrome', 'Firefox'),
		topOs: split('Android', 'iOS'),
		socialCount: Object.fromEntries(
			NETWORKS.map((network, index) => [network, Math.floor(count / (10 * (index + 1)))]),
		),
	};
}
