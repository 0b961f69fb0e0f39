import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

// SQLite does not know whether a WAL belongs to the file beside it, and copies it into any file. So each transaction
// counts up `application_id` in page 1 of the database. The WAL holds the page 1 of its transactions, and the file
// that of its last checkpoint: the transaction before the WAL, or one in it. https://www.sqlite.org/fileformat2.html
const COUNTER_OFFSET = 68
const COUNTER_BYTES = 4
const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** Copies, and new stores, begin with a random number, so that none continues the count of another. */
const createCounter = () => 1 + Math.floor(Math.random() * 0x7f_ff_ff_ff)

export const getCounter = (database: DatabaseSync) =>
  Number(database.prepare('PRAGMA application_id').get()?.application_id)

/** Call this in a transaction. */
export function countTransaction(database: DatabaseSync): void {
  const counter = getCounter(database)
  setCounter(database, counter === 0 ? createCounter() : (counter + 1) | 0)
}

export function setCounter(database: DatabaseSync, counter = createCounter()): void {
  database.exec(`PRAGMA application_id = ${counter}`)
}

function readBytes(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}

/** The counter that the file itself holds, without its WAL; undefined if the file is too short. */
export function readCounter(file: number): number | undefined {
  const bytes = readBytes(file, COUNTER_OFFSET, COUNTER_BYTES)
  return bytes.length < COUNTER_BYTES ? undefined : bytes.readInt32BE()
}

/** Counters go on at their minimum after their maximum. */
export const isBetween = (low: number, counter: number, high: number) =>
  ((counter - low) | 0) >= 0 && ((high - counter) | 0) >= 0

type Sum = readonly [number, number]

/** Continues the checksum of a WAL over these bytes. */
function addToSum([one, two]: Sum, bytes: Buffer, isBigEndian: boolean): Sum {
  const read = (offset: number) =>
    isBigEndian ? bytes.readUInt32BE(offset) : bytes.readUInt32LE(offset)
  for (let offset = 0; offset < bytes.length; offset += 8) {
    one = (one + two + read(offset)) >>> 0
    two = (two + one + read(offset + 4)) >>> 0
  }
  return [one, two]
}

const hasSum = (bytes: Buffer, offset: number, [one, two]: Sum) =>
  bytes.readUInt32BE(offset) === one && bytes.readUInt32BE(offset + 4) === two

/** Yields the counter of each page 1 in a WAL. Stops at the first invalid frame: SQLite ignores it too. */
function* readWalCounters(wal: number): Generator<number> {
  const header = readBytes(wal, 0, WAL_HEADER_BYTES)
  if (header.length < WAL_HEADER_BYTES) return
  const isBigEndian = header.readUInt32BE() % 2 === 1
  let sum = addToSum([0, 0], header.subarray(0, 24), isBigEndian)
  if (!hasSum(header, 24, sum)) return
  const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8)
  for (let offset = WAL_HEADER_BYTES; ; offset += frameBytes) {
    const frame = readBytes(wal, offset, frameBytes)
    const hasSalts = frame.subarray(8, 16).equals(header.subarray(16, 24))
    if (frame.length < frameBytes || !hasSalts) return
    sum = addToSum(sum, frame.subarray(0, 8), isBigEndian)
    sum = addToSum(sum, frame.subarray(FRAME_HEADER_BYTES), isBigEndian)
    if (!hasSum(frame, 16, sum)) return
    if (frame.readUInt32BE() === 1) yield frame.readInt32BE(FRAME_HEADER_BYTES + COUNTER_OFFSET)
  }
}

function continuesFile(wal: number, own: number | undefined): boolean {
  let isFirst = true
  for (const counter of readWalCounters(wal)) {
    // 0: a new store, or one of an earlier build.
    if (own === 0 || own === counter || (isFirst && own === ((counter - 1) | 0))) return true
    isFirst = false
  }
  return isFirst
}

/** False if SQLite would add the transactions of another file's WAL to this file. */
export function fitsWal(file: number, walPath: string): boolean {
  if (!existsSync(walPath)) return true
  const wal = openSync(walPath, 'r')
  try {
    const getState = () =>
      `${readCounter(file)} ${readBytes(wal, 0, WAL_HEADER_BYTES).toString('hex')}`
    for (;;) {
      const before = getState()
      const fits = continuesFile(wal, readCounter(file))
      // Otherwise another process began a new WAL meanwhile.
      if (getState() === before) return fits
    }
  } finally {
    closeSync(wal)
  }
}
