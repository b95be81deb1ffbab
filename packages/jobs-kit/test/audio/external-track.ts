/**
 * A movie file that says its samples lie in another file: the data reference of its track names `path`, as QuickTime's aliases do, and the
 * samples themselves are taken out.
 */
export function externalTrack(movie: Buffer, path: string): Buffer {
  const boxes = split(movie)
  const moov = boxes.find(({ type }) => type === 'moov')
  if (!moov) throw new Error('no moov')
  const emptied = boxes.map((box) =>
    box.type === 'mdat' ? Buffer.concat([head(box.bytes.length, 'mdat'), Buffer.alloc(box.bytes.length - 8)]) : box.bytes,
  )
  const at = boxes.indexOf(moov)
  return Buffer.concat(emptied.with(at, withAlias(moov.bytes, alias(path))))
}

const containers = ['moov', 'trak', 'mdia', 'minf', 'dinf']

/** The box again, with its data reference replaced, and all boxes around it as long as they are then. */
function withAlias(box: Buffer, reference: Buffer): Buffer {
  const type = box.toString('latin1', 4, 8)
  if (type === 'dref') return boxOf('dref', Buffer.concat([box.subarray(8, 16), reference]))
  if (!containers.includes(type)) return box
  return boxOf(type, Buffer.concat(split(box.subarray(8)).map(({ bytes }) => withAlias(bytes, reference))))
}

/** An alias record: two names, how far to climb from the one file to the other, and the whole path. */
function alias(path: string): Buffer {
  const names = Buffer.alloc(150)
  names.writeUInt16BE(150, 4)
  names.writeUInt8(1, 10)
  names.write('v', 11)
  names.writeUInt8(1, 50)
  names.write('f', 51)
  names.writeUInt16BE(1, 130)
  names.writeUInt16BE(1, 132)
  const text = Buffer.from(path.length % 2 === 0 ? path : `${path}\0`, 'latin1')
  const entry = Buffer.alloc(4)
  entry.writeInt16BE(2, 0)
  entry.writeUInt16BE(text.length, 2)
  const end = Buffer.from([0xff, 0xff, 0, 0])
  return boxOf('alis', Buffer.concat([Buffer.alloc(4), names, entry, text, end]))
}

function boxOf(type: string, body: Buffer): Buffer {
  return Buffer.concat([head(body.length + 8, type), body])
}

function head(length: number, type: string): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(length)
  bytes.write(type, 4, 'latin1')
  return bytes
}

function split(bytes: Buffer): { type: string; bytes: Buffer }[] {
  const boxes: { type: string; bytes: Buffer }[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), bytes: bytes.subarray(at, at + length) })
    at += length
  }
  return boxes
}
