import { type Command, command, type Program, UsageError } from './command.ts';

export const completionCommand = (program: () => Program): Command =>
  command(
    {
      name: 'completion',
      synopsis: 'bash|zsh|fish',
      summary: 'Print a script that completes commands in a shell',
      examples: [
        'bookstall completion bash > ~/.local/share/bash-completion/completions/bookstall',
        'bookstall completion zsh > "${fpath[1]}/_bookstall"',
        'bookstall completion fish > ~/.config/fish/completions/bookstall.fish',
      ],
      run({ words: [shell = ''] }, { out }) {
        const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
        if (script === undefined)
          throw new UsageError(`Cannot complete for "${shell}": choose bash, zsh or fish`);
        out(script(Object.values(program().groups).flat()));
      },
    },
    {},
  );

const SCRIPTS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: (commands) => `_bookstall() {
  local words cur="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${cases(commands)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _bookstall bookstall
`,
  zsh: (commands) => `#compdef bookstall
_bookstall() {
  local words_typed="\${words[2,CURRENT-1]}" list
  case "$words_typed" in
${cases(commands).replaceAll('words=', 'list=')}
  esac
  compadd -- \${=list} || _files
}
if [ "\${funcstack[1]}" = _bookstall ]; then _bookstall "$@"; else compdef _bookstall bookstall; fi
`,
  fish: (commands) => `function __bookstall_words
  set -l typed (commandline -opc)
  set -l words
  switch (string join ' ' -- $typed[2..])
${cases(commands).replaceAll(/"([^"\n]*)"(\*?)\) words="([^"\n]*)" ;;$/gm, 'case "$1$2"\n      set words $3')}
  end
  string join \\n -- $words
end
complete -c bookstall -a '(__bookstall_words)'
complete -c bookstall -f -n 'not string match -q -- "--*" (__bookstall_words)'
`,
};

function cases(commands: readonly Command[]): string {
  const options = commands.map(
    ({ name, options: known }) => [name, Object.keys(known).map((option) => `--${option}`)] as const,
  );
  const lines = [
    ['""', firstWords(commands)] as const,
    ...groups(commands).map(([group, seconds]) => [`"${group}"`, seconds] as const),
    ...options.map(([name, known]) => [`"${name}"*`, known] as const),
  ];
  return lines.map(([pattern, words]) => `    ${pattern}) words="${words.join(' ')}" ;;`).join('\n');
}

const firstWords = (commands: readonly Command[]): readonly string[] => [
  ...new Set(['help', ...commands.map(({ name }) => name.split(' ')[0] ?? '')]),
];

function groups(commands: readonly Command[]): readonly (readonly [string, readonly string[]])[] {
  const pairs = commands.map(({ name }) => name.split(' ')).filter((words) => words.length === 2);
  const firsts = new Set(pairs.map(([first = '']) => first));
  return [...firsts].map((group) => [
    group,
    pairs.flatMap(([first, second = '']) => (first === group ? [second] : [])),
  ]);
}
