const bars = '▁▂▃▄▅▆▇█'

/** One line of blocks out of audiowaveform's JSON: the loudest point of each column, the loudest of all as high as there is. */
export function drawWaveform(content: string, columns: number): string {
  const { data } = JSON.parse(content) as { data: number[] }
  const points = Math.floor(data.length / 2)
  const width = Math.min(columns, points)
  const heights = Array.from({ length: width }, (_, column) => {
    const from = Math.floor((column * points) / width)
    const to = Math.max(from + 1, Math.floor(((column + 1) * points) / width))
    return data.slice(from * 2, to * 2).reduce((highest, value) => Math.max(highest, Math.abs(value)), 0)
  })
  const highest = Math.max(1, ...heights)
  return heights.map((height) => bars[Math.min(bars.length - 1, Math.floor((height / highest) * bars.length))]).join('')
}
