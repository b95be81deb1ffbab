/** Waveforms have 8 bits, samples 16. */
const divisor = 256

export interface PeaksOptions {
  samplesPerPixel: number
  /** An even number. When there would be more points, two become one, as often as needed. */
  maxPoints: number
}

/** The least and the greatest sample of each stretch of a recording: its points. */
export interface Peaks {
  add(samples: Int16Array): void
  end(): { samplesPerPixel: number; points: number; data: Int8Array }
}

/** Collects the points of a recording of whatever length, in memory for `maxPoints` of them. */
export function createPeaks({ samplesPerPixel, maxPoints }: PeaksOptions): Peaks {
  let perPixel = samplesPerPixel
  let data = new Int8Array(2_048)
  let length = 0
  let filled = 0
  let min = 32_767
  let max = -32_768

  const push = () => {
    if (length === data.length) {
      const larger = new Int8Array(length * 2)
      larger.set(data)
      data = larger
    }
    data[length++] = Math.trunc(min / divisor)
    data[length++] = Math.trunc(max / divisor)
    filled = 0
    min = 32_767
    max = -32_768
  }
  const makeRoom = () => {
    if (length < maxPoints * 2) return
    length = mergePairs(data, length)
    perPixel *= 2
  }
  return {
    add(samples) {
      for (const sample of samples) {
        if (sample < min) min = sample
        if (sample > max) max = sample
        if (++filled < perPixel) continue
        makeRoom()
        // Without room, what was a full point before is half of one now.
        if (filled === perPixel) push()
      }
    },
    end() {
      if (filled > 0) {
        makeRoom()
        push()
      }
      return { samplesPerPixel: perPixel, points: length / 2, data: data.subarray(0, length) }
    },
  }
}

/** Makes one point of two, in place; returns the new length. */
function mergePairs(data: Int8Array, length: number): number {
  for (let at = 0; at < length; at += 4) {
    data[at / 2] = Math.min(data[at] as number, data[at + 2] as number)
    data[at / 2 + 1] = Math.max(data[at + 1] as number, data[at + 3] as number)
  }
  return length / 2
}
