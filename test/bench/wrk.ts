// wrk, the load of the throughput rows: 32 keep-alive connections, as fast as the server answers.

const CONNECTIONS = 32;

type Load = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly seconds?: number;
  /** The command that starts wrk, such as `taskset -c 1`. */
  readonly prefix?: readonly string[];
  /** A Lua file that makes the requests. */
  readonly script?: string;
};

/** Requests answered a second. Every answer must be a 200, and whole; it may be late, on a machine that stood still. */
export async function wrk(url: string, load: Load = {}): Promise<number> {
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(await run(url, load))?.[1]);
}

/** The same, as the number of requests that were answered. */
export async function countWrk(url: string, load: Load): Promise<number> {
  return Number(/(\d+) requests in /.exec(await run(url, load))?.[1]);
}

async function run(url: string, { headers = {}, seconds = 4, prefix = [], script }: Load): Promise<string> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const child = Bun.spawn(
    [
      ...prefix,
      'wrk',
      '-t1',
      `-c${CONNECTIONS}`,
      `-d${seconds}s`,
      ...named,
      ...(script === undefined ? [] : ['-s', script]),
      url,
    ],
    {
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  const said = await new Response(child.stdout).text();
  if (
    (await child.exited) !== 0 ||
    !/[1-9]\d* requests in /.test(said) ||
    /Non-2xx|Socket errors: connect [1-9]|read [1-9]|write [1-9]/.test(said)
  )
    throw new Error(`wrk of ${url} did not get whole 200s alone:\n${said}`);
  return said;
}
