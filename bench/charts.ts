import * as echarts from 'echarts';
import type { Spread } from './statistics';

interface ChartHead {
	/** Names the file, and is unique within its scenario: letters, digits and hyphens. */
	name: string;
	title: string;
}

/** Medians as bars, each with its range. */
interface BarsSpec extends ChartHead {
	kind: 'bars';
	/** What the bars measure, with its unit. */
	axis: string;
	bars: Array<Spread & { label: string }>;
}

/** Quantities over another. */
interface LinesSpec extends ChartHead {
	kind: 'lines';
	xAxis: string;
	yAxis: string;
	lines: Array<{ label: string; points: Array<[x: number, y: number]>; dashed?: boolean }>;
}

export type ChartSpec = BarsSpec | LinesSpec;

const WIDTH = 760;
const LINES_HEIGHT = 380;
const BAR_HEIGHT = 34;
/** Room for title, axis and its name. */
const BARS_MARGIN = 110;
/** Okabe and Ito's palette, which colour-blind people can tell apart. Ours comes first. */
const COLOURS = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#999999'];
const INK = '#24292f';

function barsOption({ title, axis, bars }: BarsSpec): echarts.EChartsOption {
	// The first is drawn at the top, where echarts has the end of the axis.
	const fromBelow = [...bars].reverse();
	return {
		title: { text: title, left: 'left' },
		grid: { left: 10, right: 60, top: 50, bottom: 40, containLabel: true },
		xAxis: { type: 'value', min: 0, name: axis, nameLocation: 'middle', nameGap: 28 },
		yAxis: { type: 'category', data: fromBelow.map(({ label }) => label), axisTick: { show: false } },
		series: [
			{
				type: 'bar',
				barWidth: '60%',
				data: fromBelow.map(({ median, label }) => ({
					value: median,
					itemStyle: { color: label === bars[0].label ? COLOURS[0] : COLOURS[4] },
				})),
			},
			{
				type: 'custom',
				z: 10,
				data: fromBelow.map(({ min, max }, index) => [index, min, max]),
				encode: { x: [1, 2], y: 0 },
				renderItem: (_params, api) => {
					const at = (dimension: number): number[] => api.coord([api.value(dimension), api.value(0)]);
					const [[left, y], [right]] = [at(1), at(2)];
					const line = (x1: number, y1: number, x2: number, y2: number) => ({
						type: 'line' as const,
						shape: { x1, y1, x2, y2 },
						style: { stroke: INK, lineWidth: 1.5 },
					});
					return {
						type: 'group',
						children: [line(left, y, right, y), line(left, y - 5, left, y + 5), line(right, y - 5, right, y + 5)],
					};
				},
			},
		],
	};
}

function linesOption({ title, xAxis, yAxis, lines }: LinesSpec): echarts.EChartsOption {
	return {
		title: { text: title, left: 'left' },
		legend: { top: 34, left: 'left', itemWidth: 30, itemStyle: { opacity: 0 }, data: lines.map(({ label }) => label) },
		grid: { left: 60, right: 20, top: 90, bottom: 50 },
		xAxis: { type: 'value', name: xAxis, nameLocation: 'middle', nameGap: 28 },
		yAxis: { type: 'value', min: 0, name: yAxis, nameLocation: 'middle', nameGap: 42 },
		series: lines.map(({ label, points, dashed }) => ({
			type: 'line',
			name: label,
			data: points,
			showSymbol: false,
			lineStyle: { width: 2, type: dashed ? 'dashed' : 'solid' },
		})),
	};
}

/** Draws a chart. @returns an SVG document */
export function draw(spec: ChartSpec): string {
	const height = spec.kind === 'bars' ? BARS_MARGIN + BAR_HEIGHT * spec.bars.length : LINES_HEIGHT;
	const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
	try {
		chart.setOption({
			animation: false,
			backgroundColor: '#ffffff',
			color: COLOURS,
			textStyle: { fontFamily: 'sans-serif', color: INK },
			...(spec.kind === 'bars' ? barsOption(spec) : linesOption(spec)),
		});
		return chart.renderToSVGString();
	} finally {
		chart.dispose();
	}
}
