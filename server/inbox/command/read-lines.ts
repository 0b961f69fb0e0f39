import { createReadStream } from 'node:fs'
import { CommandFailure } from './context.ts'

export interface Line {
  /** From 1. */
  number: number
  text: string
}

async function* decode(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** The lines of a UTF-8 file that are not blank. Only LF ends one: JSON may hold U+2028 as it is. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0
  let rest = ''
  try {
    for await (const text of decode(file)) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        number += 1
        if (line.trim()) yield { number, text: line }
      }
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new CommandFailure(`After line ${number} the file is not UTF-8.`)
    }
    throw error
  }
  if (rest.trim()) yield { number: number + 1, text: rest }
}
