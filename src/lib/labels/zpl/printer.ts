import type { PDFRef } from '@cantoo/pdf-lib'
import type { QuarterTurn, Size } from '../paper/sheet-layout.ts'
import { CODES, type Encode } from './codes.ts'
import { decodeText, Operands, Undrawable, unescapeHex, type ZplCommand, zplCommands } from './commands.ts'
import type { Bitmap } from './graphic.ts'
import { DIRECTIONS, type FieldOrigin, ZplPainter, type ZplResources } from './painter.ts'
import { SHAPES } from './shapes.ts'
import { defaultSettings, SETTING_COMMANDS, ZplMemory } from './state.ts'
import { type Block, drawText, type FontChoice } from './text.ts'

interface Field {
  origin?: Omit<FieldOrigin, 'isReverse'>
  isReverse?: boolean
  font?: FontChoice
  /** Sign of `^FH`. */
  escapeSign?: string
  data?: string
  /** Number of `^FN`. */
  number?: number
  code?: { turn: QuarterTurn; encode: Encode }
  block?: Block
  isSymbol?: boolean
  isForTag?: boolean
}

interface Item {
  number?: number
  data: string
  draw(painter: ZplPainter, data: string): void
}

/** Minimum size of a label that states none. */
const DEFAULT_MM = { width: 100, height: 150 }
/** Largest size of parcel label printers. */
export const LARGEST_MM = { width: 112, height: 305 }

type ZplOutcome = { form: PDFRef; size: Size; isCut: boolean } | { problem: string }

const SYMBOLS: Readonly<Record<string, string>> = { A: '®', B: '©', C: '™' }

/** Commands that draw nothing: about the printer, its paper, memory or tags, and comments. */
const IGNORED = new Set(
  (
    'CN CO CP CV EF EG FX HF HG HH HT HV HW HY HZ ID JB JH JI JJ JM JS JT JU JW JZ KC KD KL KN KP KV LF MA MD MF ' +
    'MI ML MM MN MP MT MW NB NC ND NI NN NP NS NT NW PA PF PH PN PP PQ PR PS RB RE RL RM RN RQ RR RS RT RU RW RZ SC ' +
    'SE SF SI SL SO SP SQ SR SS ST SX SZ TO WA WD WE WI WL WP WR WS WV WX XB XS ZZ'
  )
    .split(' ')
    .map((name) => `^${name}`),
)

/** Draws like a ZPL printer, whose settings and memory outlast a label. */
export class ZplPrinter {
  readonly #settings: ReturnType<typeof defaultSettings>
  readonly #memory = new ZplMemory()
  readonly foreignFonts = new Set<string>()
  #field: Field = {}
  #items: Item[] = []
  /** End of the last text, where a text without a position starts. */
  #cursor = { x: 0, y: 0 }
  #recording: ZplCommand[] | undefined
  #problem: string | undefined
  #recalls = 0

  constructor(
    private readonly resources: ZplResources,
    size: Partial<Size>,
    private readonly dotsPerMm: number,
  ) {
    this.#settings = defaultSettings(size)
  }

  *draw(zpl: string): Generator<ZplOutcome> {
    for (const command of zplCommands(zpl)) {
      if (command.name === '^XZ') {
        const outcome = this.#endLabel()
        if (outcome) yield outcome
      } else if (this.#recording) this.#recording.push(command)
      else this.#attempt(() => this.#run(command))
    }
  }

  #attempt(work: () => void) {
    try {
      work()
    } catch (error) {
      if (!(error instanceof Undrawable)) throw error
      this.#problem ??= error.message
    }
  }

  #run({ name, operands }: ZplCommand) {
    const [command, setting] = [this.#commands[name], SETTING_COMMANDS[name]]
    const [code, shape] = [CODES[name], SHAPES[name]]
    if (command) command(operands)
    else if (setting) Object.assign(this.#settings, setting(operands, this.#settings))
    else if (code) {
      const encode = code(operands, this.#settings.bars, this.dotsPerMm)
      const isUpright = name === '^BQ' || name === '^BD'
      this.#field.code = { encode, turn: isUpright ? 0 : operands.turn(operands.at(0), this.#settings.turn) }
    } else if (shape) {
      const [area, origin] = [shape(operands), this.#origin()]
      this.#items.push({ data: '-', draw: (painter) => painter.shape(origin, area) })
    } else if (name.startsWith('^') && !IGNORED.has(name)) {
      throw new Undrawable(`it holds ${name}, a command that only printers carry out`)
    }
  }

  #endLabel(): ZplOutcome | undefined {
    if (!this.#recording) this.#attempt(() => this.#endField())
    const painter = new ZplPainter(this.resources)
    for (const { data, draw } of this.#items) {
      if (this.#problem === undefined && data !== '') this.#attempt(() => draw(painter, data))
    }
    const problem = this.#problem
    this.#startLabel()
    this.#recalls = 0
    if (problem !== undefined) return { problem }
    const { size: stated, right, down } = this.#settings
    const ends = { width: painter.ends.right + right, height: painter.ends.bottom + down }
    const sideOf = (side: keyof Size) =>
      stated[side] ??
      Math.max(
        Math.round(DEFAULT_MM[side] * this.dotsPerMm),
        Math.min(Math.ceil(ends[side]), Math.round(LARGEST_MM[side] * this.dotsPerMm)),
      )
    const size = { width: sideOf('width'), height: sideOf('height') }
    const form = painter.finish(size, this.#settings)
    return form && { form, size, isCut: ends.width > size.width || ends.height > size.height }
  }

  #startLabel() {
    this.#field = {}
    this.#items = []
    this.#cursor = { x: 0, y: 0 }
    this.#recording = undefined
    this.#problem = undefined
  }

  readonly #commands: Readonly<Record<string, (operands: Operands) => void>> = {
    '^XA': () => this.#startLabel(),
    '^A': (operands) => this.#setFont(operands, operands.at(0).charAt(0).toUpperCase()),
    '^A@': (operands) => {
      this.foreignFonts.add(operands.at(3) || 'of a former label')
      this.#setFont(new Operands(`0${operands.text}`), '0')
    },
    '^CW': (operands) => void this.foreignFonts.add(operands.at(1)),
    '^DF': (operands) => {
      this.#recording = this.#memory.newFormat(operands)
    },
    '~DG': (operands) => this.#memory.keepGraphic(operands, 1),
    '~DY': (operands) => {
      if (/^A$/i.test(operands.at(1)) && /^G$/i.test(operands.at(2))) this.#memory.keepGraphic(operands, 3)
    },
    '^FB': (operands) => {
      this.#field.block = {
        width: operands.number(0, 0),
        lines: operands.number(1, 1, 1),
        spacing: operands.number(2, 0),
        align: operands.at(3).toUpperCase(),
        indent: operands.number(4, 0),
      }
    },
    '^FD': ({ text }) => this.#setData(text),
    '^FV': ({ text }) => this.#setData(text),
    '^SN': (operands) => this.#setData(operands.at(0)),
    '^FH': ({ text }) => {
      this.#field.escapeSign = text.charAt(0) || '_'
    },
    '^FN': ({ text }) => {
      this.#field.number = Number.parseInt(text, 10)
    },
    '^FO': (operands) => this.#place(operands, false),
    '^FT': (operands) => this.#place(operands, true),
    '^FR': () => {
      this.#field.isReverse = true
    },
    '^FS': () => this.#endField(),
    '^GF': (operands) => this.#addGraphic(this.#memory.inlineGraphic(operands), this.#origin()),
    '^GS': (operands) => {
      const [height, width] = [operands.number(1, 0), operands.number(2, 0)]
      const turn = operands.turn(operands.at(0), this.#settings.turn)
      Object.assign(this.#field, { isSymbol: true, font: { name: '0', height, width, turn } })
    },
    '^IL': (operands) => this.#addGraphic(this.#memory.graphic(operands), { ...this.#origin(), x: 0, y: 0 }),
    '^IM': (operands) => this.#addGraphic(this.#memory.graphic(operands), this.#origin()),
    '^XG': (operands) => {
      const times = [operands.number(1, 1, 1, 10), operands.number(2, 1, 1, 10)] as const
      this.#addGraphic(this.#memory.graphic(operands), this.#origin(), times)
    },
    '^MC': (operands) => {
      if (!operands.isYes(0, true)) throw new Undrawable('it holds ^MCN, which keeps it for the next label')
    },
    '^RF': () => {
      // RFID data are not printed.
      this.#field.isForTag = true
    },
    '^XF': (operands) => {
      for (const command of this.#memory.format(operands, this.#recalls++)) this.#run(command)
    },
  }

  #setFont(operands: Operands, name: string) {
    const { font, turn } = this.#settings
    const [height, width] = [operands.number(1, 0), operands.number(2, 0)]
    const size = height === 0 && width === 0 && font.name === name ? font : { height, width }
    this.#field.font = { name, ...size, turn: operands.turn(operands.at(0).charAt(1), turn) }
  }

  #setData(text: string) {
    const { escapeSign } = this.#field
    const bytes = escapeSign === undefined ? text : unescapeHex(text, escapeSign)
    this.#field.data = decodeText(bytes, this.#settings.characterSet)
  }

  #place(operands: Operands, isFromBottom: boolean) {
    if (this.#field.data !== undefined) this.#endField()
    const { home, isFromRight: isDefault } = this.#settings
    const missing = isFromBottom ? Number.NaN : 0
    const [x, y] = [operands.number(0, missing), operands.number(1, missing)]
    const isFromRight = operands.number(2, isDefault ? 1 : 0) === 1
    this.#field.origin = { x: x + home.x, y: y + home.y, turn: 0, isFromBottom, isFromRight }
  }

  #origin(): FieldOrigin {
    const { home, isReverse, isFromRight } = this.#settings
    const origin = this.#field.origin ?? { ...home, turn: 0 as const, isFromBottom: false, isFromRight }
    return { ...origin, isReverse: this.#field.isReverse ?? isReverse }
  }

  #endField() {
    const { number, data = '', origin, isForTag } = this.#field
    if (number !== undefined && origin === undefined) {
      for (const item of this.#items) if (item.number === number) item.data = data
    } else if (!isForTag && (data !== '' || number !== undefined)) this.#addItem(this.#field)
    this.#field = {}
  }

  #addItem({ number, data = '', code, block, isSymbol, font }: Field) {
    const at = this.#origin()
    const choice = font ?? { ...this.#settings.font, turn: this.#settings.turn }
    const draw = (painter: ZplPainter, text: string) => {
      if (code) return painter.code({ ...at, turn: code.turn }, code.encode(text))
      const origin = { ...at, x: orElse(at.x, this.#cursor.x), y: orElse(at.y, this.#cursor.y) }
      const shown = isSymbol ? symbol(text) : text
      const width = drawText(painter, origin, { data: shown, font: choice, block })
      const [right, down] = DIRECTIONS[choice.turn]
      if (origin.isFromBottom) this.#cursor = { x: origin.x + width * right, y: origin.y + width * down }
    }
    this.#items.push({ number, data, draw })
  }

  #addGraphic(bitmap: Bitmap, origin: FieldOrigin, times = [1, 1] as readonly [number, number]) {
    this.#items.push({ data: '-', draw: (painter) => painter.graphic(origin, bitmap, times) })
  }
}

function symbol(text: string) {
  const found = SYMBOLS[text.trim().toUpperCase()]
  if (found === undefined) throw new Undrawable(`it holds ^GS ${text}, a sign for which there is no font`)
  return found
}

const orElse = (value: number, other: number) => (Number.isNaN(value) ? other : value)
