import { readable } from './table.ts'

/** One line of a plot. */
export interface Line {
  name: string
  points: readonly { x: number; y: number }[]
}

interface PlotOptions {
  title: string
  x: string
  y: string
  /** Logarithmic where what is compared differs by orders of magnitude. */
  logarithmic: boolean
}

const size = { width: 720, height: 320, left: 70, right: 150, top: 40, bottom: 45 }
// Told apart also by those who do not tell red from green.
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']

/** Lines over time, as an SVG that needs nothing else. */
export function plotLines(lines: readonly Line[], { title, x, y, logarithmic }: PlotOptions): string {
  const all = lines.flatMap(({ points }) => points)
  const ends = { x: Math.max(1, ...all.map((point) => point.x)), y: Math.max(...all.map((point) => point.y)) }
  const least = logarithmic ? Math.min(...all.map((point) => point.y).filter((value) => value > 0)) : 0
  const scale = scaleOf(least, ends.y, logarithmic)
  const across = (value: number) => size.left + (value / ends.x) * (size.width - size.left - size.right)
  const up = (value: number) => size.height - size.bottom - scale(value) * (size.height - size.top - size.bottom)
  const body = [
    text(size.left, 22, title, 'font-weight="bold"'),
    ...ticks(least, ends.y, logarithmic).flatMap((value) => [
      `<line x1="${size.left}" x2="${size.width - size.right}" y1="${fixed(up(value))}" y2="${fixed(up(value))}" stroke="#ddd"/>`,
      text(size.left - 8, up(value) + 4, readable(value), 'text-anchor="end"'),
    ]),
    ...[0, 0.25, 0.5, 0.75, 1].map((share) =>
      text(across(ends.x * share), size.height - size.bottom + 18, readable(Math.round(ends.x * share)), 'text-anchor="middle"'),
    ),
    text((size.left + size.width - size.right) / 2, size.height - 8, x, 'text-anchor="middle"'),
    text(size.left, 36, y, 'fill="#555"'),
    ...lines.flatMap(({ name, points }, index) => {
      const colour = colours[index % colours.length]
      const path = points.map((point) => `${fixed(across(point.x))},${fixed(up(Math.max(point.y, least)))}`).join(' ')
      const end = points.at(-1)
      return [
        `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...(end ? [text(across(end.x) + 8, up(Math.max(end.y, least)) + 4, name, `fill="${colour}"`)] : []),
      ]
    }),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" fill="#fff"/>
${body.join('\n')}
</svg>
`
}

function scaleOf(least: number, most: number, logarithmic: boolean): (value: number) => number {
  if (!logarithmic) return (value) => value / (most || 1)
  const span = Math.log10(most / least) || 1
  return (value) => Math.log10(value / least) / span
}

function ticks(least: number, most: number, logarithmic: boolean): number[] {
  if (!logarithmic) return [0, 0.25, 0.5, 0.75, 1].map((share) => most * share)
  const first = Math.ceil(Math.log10(least))
  const powers = Array.from({ length: Math.max(0, Math.floor(Math.log10(most)) - first + 1) }, (_, index) => 10 ** (first + index))
  return powers.length > 1 ? powers : [least, most]
}

const fixed = (value: number) => value.toFixed(1)
const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const text = (x: number, y: number, value: string, more: string) => `<text x="${fixed(x)}" y="${fixed(y)}" ${more}>${escaped(value)}</text>`
