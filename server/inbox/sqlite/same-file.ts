import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

// SQLite does not notice that its files were replaced, overwritten or cut, and writes on. So each transaction counts up
// `application_id` in page 1 of the database. The WAL holds the page 1 of its transactions, and the file that of the
// last frame that a checkpoint copied. The index of the WAL, `-shm`, has the number of frames, how many are copied,
// and the checksum of the last. https://www.sqlite.org/fileformat2.html https://www.sqlite.org/walformat.html
// An older copy put over the file goes unnoticed while only the beginning of the WAL is copied: page 1 may not be yet.
const HEAD_BYTES = 100
const PAGE_SIZE_OFFSET = 16
const PAGE_COUNT_OFFSET = 28
const COUNTER_OFFSET = 68
const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const FRAME_SUM_OFFSET = 16
const INDEX_FRAMES_OFFSET = 16
const INDEX_COPIED_OFFSET = 96
const INDEX_ATTEMPTED_OFFSET = 128

/** More than other processes commit between two checks; the counter of another store is rarely so near. */
const MAX_COUNTED = 100_000

/** Copies, and new stores, begin with a random number, so that none continues the count of another. */
const createCounter = () => 1 + Math.floor(Math.random() * 0x7f_ff_ff_ff)

/** Call this in a transaction. Counters go on at their minimum after their maximum. */
export function countTransaction(database: DatabaseSync): number {
  const counter = Number(database.prepare('PRAGMA application_id').get()?.application_id)
  return setCounter(database, counter === 0 ? createCounter() : (counter + 1) | 0)
}

export function setCounter(database: DatabaseSync, counter = createCounter()): number {
  database.exec(`PRAGMA application_id = ${counter}`)
  return counter
}

function readBytes(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset))
}

/** Reads numbers of the index: they have the byte order of the machine. */
function readNumbers(index: number, offset: number, count: number): Uint32Array {
  const numbers = new Uint32Array(count)
  readSync(index, numbers, 0, numbers.byteLength, offset)
  return numbers
}

/** The counter that the file has reached. A checkpoint copies page 1, which each transaction writes, with the last frame. */
function findReached(readFrame: (frame: number) => Buffer, frames: number, isCopied: boolean) {
  const step = isCopied ? -1 : 1
  for (let frame = isCopied ? frames : 1; frame > 0 && frame <= frames; frame += step) {
    const bytes = readFrame(frame)
    if (bytes.readUInt32BE() === 1) {
      const counter = bytes.readInt32BE(FRAME_HEADER_BYTES + COUNTER_OFFSET)
      return isCopied ? counter : counter - 1
    }
  }
  return undefined
}

/** Opens the file of a database, its WAL and the index of the WAL. SQLite must have opened them before. */
export function openFiles(path: string) {
  const real = realpathSync(path)
  const opened = [path, `${real}-wal`, `${real}-shm`].map((name) => {
    const file = openSync(name, 'r')
    return { name, file, stat: fstatSync(file) }
  })
  const [file = 0, wal = 0, index = 0] = opened.map((each) => each.file)
  /** The counter of the file at the last check. */
  let seen = 0
  /** Kept until the next checkpoint, because a large transaction has many frames without page 1. */
  let reached: { state: string; counter: number | undefined } | undefined

  return {
    /** True if a name belongs to another file now, or to none; with `mayLackWal`, WAL and index may have lost their names. */
    isMoved: (mayLackWal = false) =>
      opened.some(({ name, stat }) => {
        const current = statSync(name, { throwIfNoEntry: false })
        if (mayLackWal && !current && name !== path) return false
        return current?.ino !== stat.ino || current.dev !== stat.dev
      }),

    /** True if the files hold all transactions that this connection knows of. Call it under the write lock.
     * `last` is the counter of its last transaction. */
    areSame(last = 0): boolean {
      const [frames = 0, , sumOne, sumTwo, ...salts] = readNumbers(index, INDEX_FRAMES_OFFSET, 6)
      const isCopied = readNumbers(index, INDEX_COPIED_OFFSET, 1)[0] === frames
      const head = readBytes(file, 0, HEAD_BYTES)
      if (head.length < HEAD_BYTES) return false
      const pageBytes = head.readUInt16BE(PAGE_SIZE_OFFSET)
      const frameBytes = FRAME_HEADER_BYTES + pageBytes
      const readFrame = (frame: number) =>
        readBytes(wal, WAL_HEADER_BYTES + (frame - 1) * frameBytes, frameBytes)

      if (frames > 0) {
        const frame = readFrame(frames)
        if (frame.length < frameBytes) return false
        if (frame.readUInt32BE(FRAME_SUM_OFFSET) !== sumOne) return false
        if (frame.readUInt32BE(FRAME_SUM_OFFSET + 4) !== sumTwo) return false
        const state = `${salts} ${isCopied && frames}`
        if (reached?.state !== state) {
          reached = { state, counter: findReached(readFrame, frames, isCopied) }
        }
      }
      const counter = head.readInt32BE(COUNTER_OFFSET)
      // With an empty WAL, the file itself must hold the last transaction.
      const minima = [seen, frames > 0 ? reached?.counter : last]
      seen = counter
      // 0: a new store, or one of an earlier build.
      const isBehind = (minimum = 0) => minimum !== 0 && (counter - minimum) >>> 0 > MAX_COUNTED
      if (counter !== 0 && minima.some(isBehind)) return false

      // During a checkpoint, and after one that a reader held up, page 1 may already count pages that the file lacks.
      const isShort = fstatSync(file).size < head.readUInt32BE(PAGE_COUNT_OFFSET) * pageBytes
      const isSettled = () => isCopied || readNumbers(index, INDEX_ATTEMPTED_OFFSET, 1)[0] === 0
      return !(isShort && isSettled())
    },

    close() {
      for (const each of opened) closeSync(each.file)
    },
  }
}
