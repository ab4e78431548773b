// The completion scripts of the shells. Each script finds the command in the words typed so far and offers the words that may follow.

type Word = { readonly word: string; readonly what: string };

export type Spot = {
  /** The names that lead to the command; empty for the program itself. */
  readonly way: readonly string[];
  readonly words: readonly Word[];
  readonly options: readonly Word[];
  /** Options with a fixed list of values. */
  readonly values: readonly { readonly option: string; readonly words: readonly string[] }[];
};

const keyOf = ({ way }: Spot): string => ['holdfast', ...way].join(' ');

const wordsOf = (words: readonly Word[]): string => words.map(({ word }) => word).join(' ');

const cases = (spots: readonly Spot[], bodyOf: (spot: Spot) => string): string =>
  spots
    .map((spot) => ({ key: keyOf(spot), body: bodyOf(spot) }))
    .filter(({ body }) => body !== '')
    .map(({ key, body }) => `    '${key}') ${body} ;;`)
    .join('\n');

const valueCases = (spots: readonly Spot[]): string =>
  spots
    .flatMap((spot) =>
      spot.values.map(({ option, words }) => `    '${keyOf(spot)} ${option}') offered='${words.join(' ')}' ;;`),
    )
    .join('\n');

const isCommandCases = (spots: readonly Spot[]): string =>
  spots
    .filter(({ way }) => way.length > 0)
    .map((spot) => `'${keyOf(spot)}'`)
    .join('|');

/** bash and zsh share this part. No variable is called `path`, because zsh uses that name for PATH. */
const walk = (spots: readonly Spot[]): string => `  local spot='holdfast' word offered=''
  for word in "\${before[@]}"; do
    case "$spot $word" in
    ${isCommandCases(spots)}) spot="$spot $word" ;;
    esac
  done
  case "$spot $previous" in
${valueCases(spots)}
  esac
  if [[ -z $offered && $current == -* ]]; then
    case "$spot" in
${cases(spots, ({ options }) => `offered='${wordsOf(options)}'`)}
    esac
  elif [[ -z $offered ]]; then
    case "$spot" in
${cases(spots, ({ words }) => (words.length > 0 ? `offered='${wordsOf(words)}'` : ''))}
    esac
  fi`;

export const bashScript = (
  spots: readonly Spot[],
): string => `# holdfast in bash: source <(npx holdfast completion bash)
_holdfast() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${walk(spots)}
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
# npx holdfast …; any other npx is completed as before.
_holdfast_npx() {
  if [[ \${COMP_WORDS[1]} == holdfast && $COMP_CWORD -gt 1 ]]; then
    COMP_WORDS=("\${COMP_WORDS[@]:1}")
    COMP_CWORD=$((COMP_CWORD - 1))
    _holdfast
  elif [[ -n $_holdfast_npx_before ]]; then
    "$_holdfast_npx_before" "$@"
  elif [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W holdfast -- "\${COMP_WORDS[1]}"))
  fi
}
_holdfast_npx_now=$(complete -p npx 2>/dev/null | sed -n 's/.* -F \\([^ ]*\\) .*/\\1/p')
if [[ $_holdfast_npx_now != _holdfast_npx ]]; then _holdfast_npx_before=$_holdfast_npx_now; fi
# A path such as ./node_modules/.bin/holdfast is completed by its last part.
complete -o default -F _holdfast holdfast
complete -o default -F _holdfast_npx npx`;

export const zshScript = (spots: readonly Spot[]): string => `#compdef holdfast
# holdfast in zsh: source <(npx holdfast completion zsh), or write it to a folder of your fpath, as _holdfast
_holdfast() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}"
  local -a before=("\${(@)words[2,CURRENT-1]}")
${walk(spots)}
  if [[ -n $offered ]]; then compadd -- \${=offered}; else _files; fi
}
# npx holdfast …; any other npx is completed as before.
_holdfast_npx() {
  if [[ \${words[2]} == holdfast && $CURRENT -gt 2 ]]; then
    shift words
    (( CURRENT-- ))
    _holdfast
  elif [[ -n $_holdfast_npx_before ]]; then
    $_holdfast_npx_before "$@"
  elif [[ $CURRENT -eq 2 ]]; then
    compadd -- holdfast
  fi
}
if [[ $funcstack[1] == _holdfast ]]; then
  _holdfast "$@"
else
  [[ $_comps[npx] == _holdfast_npx ]] || typeset -g _holdfast_npx_before=$_comps[npx]
  compdef _holdfast holdfast
  compdef _holdfast_npx npx
fi`;

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const fishCondition = ({ way }: Spot): string => fishText(`__holdfast_at "${way.join(' ')}"`);

export const fishScript = (
  spots: readonly Spot[],
): string => `# holdfast in fish: npx holdfast completion fish > ~/.config/fish/completions/holdfast.fish
function __holdfast_at
  set -l path
  for word in (commandline -opc)[2..-1]
    set -l longer (string join ' ' $path $word)
    if contains -- "$longer" ${spots
      .filter(({ way }) => way.length > 0)
      .map(({ way }) => fishText(way.join(' ')))
      .join(' ')}
      set path $path $word
    end
  end
  test "$path" = "$argv[1]"
end
function __holdfast_npx
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test "$words[2]" = holdfast
end
# npx holdfast …; any other npx is completed as before.
complete -c npx -n __holdfast_npx -f -a '(complete -C (string join " " (commandline -opc)[2..-1] (commandline -ct)))'
complete -c holdfast -f
${spots
  .flatMap((spot) => [
    ...spot.words.map(
      ({ word, what }) => `complete -c holdfast -n ${fishCondition(spot)} -a ${fishText(word)} -d ${fishText(what)}`,
    ),
    ...spot.options.map(({ word, what }) => {
      const values = spot.values.find(({ option }) => option === word);
      const choices = values ? ` -x -a ${fishText(values.words.join(' '))}` : '';
      return `complete -c holdfast -n ${fishCondition(spot)} -l ${word.replace(/^--/, '')} -d ${fishText(what)}${choices}`;
    }),
  ])
  .join('\n')}`;
