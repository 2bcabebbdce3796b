import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DockerfileParser, type Healthcheck, type Instruction, type JSONInstruction } from 'dockerfile-ast'
import { type Env, typed } from './command-line.ts'
import { newFolder, textFile } from './files.ts'

/*
 * A Dockerfile engine on Linux namespaces. /usr and /etc of this machine replace the base image. Containers have their
 * own processes, host name, network and root. Needs root.
 */

const run = promisify(execFile)
const MAX_OUTPUT = 64 * 1024 * 1024

export interface ImageOptions {
  /** Build context of the Dockerfile. */
  context: string
  /** Cached layers by step text: folders and their paths in the image. */
  made: Readonly<Record<string, readonly [from: string, to: string]>>
}

interface Stage {
  root: string
  env: Env
  workdir: string
  user: string
  volumes: string[]
  entrypoint: string[]
  cmd: string[]
  health: string[]
}

/** Image whose mounts exist until `discard` or the end of this process. */
export class Image {
  readonly #holder: ChildProcess
  readonly #place: string
  readonly #options: ImageOptions
  readonly #stages = new Map<string, Stage>()
  readonly #containers: ChildProcess[] = []
  #last: Stage | undefined

  static async build(options: ImageOptions): Promise<Image> {
    const place = newFolder()
    const mounts = `mount -t tmpfs -o size=1g tmpfs '${place}' && echo ready && exec cat`
    const holder = spawn('unshare', typed`--mount sh -ec ${mounts}`, { stdio: ['pipe', 'pipe', 'inherit'] })
    await once(holder.stdout, 'data')
    const image = new Image(holder, place, options)
    const dockerfile = DockerfileParser.parse(textFile(join(options.context, 'Dockerfile')))
    for (const step of dockerfile.getInstructions()) await image.#take(step)
    return image
  }

  private constructor(holder: ChildProcess, place: string, options: ImageOptions) {
    this.#holder = holder
    this.#place = place
    this.#options = options
  }

  /** State of a container, as `docker inspect` shows it. */
  get config(): Readonly<Omit<Stage, 'root'>> {
    return this.#stage
  }

  get #stage(): Stage {
    if (this.#last === undefined) throw new Error('An instruction before FROM')
    return this.#last
  }

  /** Like `docker run --read-only --tmpfs /tmp --hostname NAME -v VOLUME:…`, without a network. */
  async start(argv: readonly string[] = this.#stage.cmd, volume = 'volume'): Promise<Container> {
    const { root, env, workdir, user, volumes, entrypoint } = this.#stage
    const mounts = volumes.map(
      (path) => `test -d ${volume} || cp -a ${root}${path} ${volume}; mount --bind ${volume} ${root}${path}`,
    )
    const script = `cd ${this.#place}; hostname box; ip link set lo up
      mount --rbind ${root} ${root}
      for part in '' /usr /etc; do mount -o remount,bind,ro ${root}$part; done
      ${mounts.join('\n')}
      mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp; mount -t proc proc ${root}/proc; mount --rbind /dev ${root}/dev
      exec chroot ${root} setpriv --reuid=${user.replace(':', ' --regid=')} --clear-groups --no-new-privs \\
        --inh-caps=-all --bounding-set=-all env -i -C ${workdir} ${words(env)} "$@"`
    const parts = typed`--mount --uts --net --pid --fork --kill-child`
    const child = this.#spawn(['unshare', ...parts, 'sh', '-ec', script, 'sh', ...entrypoint, ...argv])
    this.#containers.push(child)
    return new Container(child, this.#stage)
  }

  /** Differences between its file or folder and one of this machine. */
  async differences(path: string, other: string): Promise<string> {
    const argv = [
      '--target',
      String(this.#holder.pid),
      '--mount',
      'diff',
      '-r',
      this.#stage.root + path,
      other,
    ]
    try {
      return (await run('nsenter', argv, { maxBuffer: MAX_OUTPUT })).stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      return stdout + stderr || String(error)
    }
  }

  discard(): void {
    for (const container of this.#containers) container.kill('SIGKILL')
    this.#holder.stdin?.end()
  }

  async #take(step: Instruction): Promise<void> {
    const words = step.getArguments().map((argument) => argument.getValue())
    const list = () => (step as JSONInstruction).getJSONStrings().map((one) => JSON.parse(one.getValue()))
    switch (step.getKeyword()) {
      case 'FROM':
        return this.#begin(words)
      case 'COPY':
        return this.#copy(step as JSONInstruction, words)
      case 'RUN':
        return this.#run(step.getRawArgumentsContent() ?? '')
      case 'ENV':
        for (const [, name = '', value = ''] of words.map((word) => /^(\w+)=(.*)$/.exec(word) ?? []))
          this.#stage.env[name] = value
        return
      case 'VOLUME':
        this.#stage.volumes = list()
        return
      case 'WORKDIR':
        this.#stage.workdir = words[0] ?? ''
        return this.#inside(`mkdir -p ${this.#stage.root}${this.#stage.workdir}`)
      case 'USER':
        this.#stage.user = words[0] ?? ''
        return
      case 'HEALTHCHECK':
        this.#stage.health = [
          'sh',
          '-c',
          (step as Healthcheck).getRawArgumentsContent()?.replace(/^.*?CMD /s, '') ?? '',
        ]
        return
      case 'ENTRYPOINT':
        this.#stage.entrypoint = list()
        return
      case 'CMD':
        this.#stage.cmd = list()
        return
      case 'ARG':
      case 'EXPOSE':
        return
      default:
        throw new Error(`${step.getKeyword()} is not known here`)
    }
  }

  async #begin([_base, _as, name = '']: string[]): Promise<void> {
    const layer = join(this.#place, `stage-${this.#stages.size}`)
    const root = join(layer, 'root')
    await this.#inside(`mkdir -p ${root}; cd ${root}; mkdir -m 1777 tmp; mkdir proc dev root var opt
      for name in bin sbin lib lib64; do ln -s usr/$name $name; done
      for name in usr etc; do
        mkdir -p $name ${layer}/$name ${layer}/work-$name
        mount -t overlay overlay -o lowerdir=/$name,upperdir=${layer}/$name,workdir=${layer}/work-$name $name
      done`)
    const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
    const nothing = { volumes: [], entrypoint: [], cmd: [], health: [] }
    this.#last = { root, env, workdir: '/', user: '0:0', ...nothing }
    this.#stages.set(name, this.#last)
  }

  /** Copies files of the context unless .dockerignore excludes them. */
  async #copy(step: JSONInstruction, words: string[]): Promise<void> {
    const { root, workdir } = this.#stage
    const to = root + join(workdir, words.at(-1) ?? '')
    const stage = this.#stages.get(step.getFlags()[0]?.getValue() ?? '')
    if (stage !== undefined) return this.#inside(`cp -a ${stage.root}${words[0]} ${to}`)
    const [first, ...rules] = textFile(join(this.#options.context, '.dockerignore'))
      .split('\n')
      .filter((line) => !/^(?:#|$)/.test(line))
    if (first !== '*' || rules.some((rule) => !/^![\w.-]+$/.test(rule)))
      throw new Error('.dockerignore: not known')
    const sent = rules.map((rule) => rule.slice(1))
    const names = words[0] === '.' ? sent : words.slice(0, -1).filter((name) => sent.includes(name))
    await this.#inside(`cd ${this.#options.context}; mkdir -p ${to}; cp -a ${names.join(' ')} ${to}`)
  }

  async #run(command: string): Promise<void> {
    const { root, env, workdir } = this.#stage
    const made = this.#options.made[command]
    if (made !== undefined) {
      const to = root + made[1]
      return this.#inside(`mkdir -p ${to}; mount --bind ${made[0]} ${to}; mount -o remount,bind,ro ${to}`)
    }
    const script = command.replace(/\\\n/g, '').replaceAll("'", `'\\''`)
    // npm with this machine's configuration.
    await this.#inside(`mount --rbind /proc ${root}/proc; mount --rbind /dev ${root}/dev
      trap 'umount -l ${root}/proc ${root}/dev' EXIT
      chroot ${root} env -C ${workdir} ${words(env)} sh -c '${script}'`)
  }

  async #inside(script: string): Promise<void> {
    const argv = typed`--target ${String(this.#holder.pid)} --mount sh -ec ${script}`
    await run('nsenter', argv, { maxBuffer: MAX_OUTPUT })
  }

  #spawn(argv: readonly string[]): ChildProcess {
    return spawn('nsenter', typed`--target ${String(this.#holder.pid)} --mount ${argv}`, {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
}

const words = (env: Readonly<Env>) =>
  Object.entries(env)
    .map(([name, value]) => `'${name}=${value}'`)
    .join(' ')

class Container {
  readonly #child: ChildProcess
  readonly #stage: Stage
  output = ''
  /** Exit code as the engine reports it. */
  readonly ended: Promise<number>

  constructor(child: ChildProcess, stage: Stage) {
    this.#child = child
    this.#stage = stage
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    }
    this.ended = once(child, 'close').then(([code]) => code)
  }

  /** Id of its first process, the child of the process that made the namespaces. */
  get pid(): number {
    const { pid } = this.#child
    return Number(textFile(`/proc/${pid}/task/${pid}/children`))
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal)
  }

  /** Like `docker exec`. */
  async exec(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const { env, user, workdir } = this.#stage
    const [uid = '', gid = ''] = user.split(':')
    const into = typed`--target ${String(this.pid)} --all --root=/proc/${this.pid}/root --setuid ${uid}
      --setgid ${gid}`
    const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    try {
      return { code: 0, ...(await run('nsenter', [...into, 'env', '-i', '-C', workdir, ...pairs, ...argv])) }
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string }
    }
  }

  /** Runs the health check with the engine's time limit. */
  async isHealthy(patience = '5'): Promise<boolean> {
    return (await this.exec('timeout', '-k', '1', patience, ...this.#stage.health)).code === 0
  }
}
