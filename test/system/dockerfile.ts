/** Just enough of the Dockerfile's language to check it, and to carry out its steps in a folder, without an engine. */

export interface Step {
  readonly keyword: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string | null;
  readonly base: string;
  readonly steps: readonly Step[];
}

export interface Copy {
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly target: string;
}

export function parseDockerfile(text: string): readonly Stage[] {
  const stages: { name: string | null; base: string; steps: Step[] }[] = [];
  for (const { keyword, text: rest } of instructions(text)) {
    if (keyword === 'FROM') {
      const match = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest);
      if (match === null) throw new Error(`not a FROM: ${rest}`);
      stages.push({ base: match[1]!, name: match[2] ?? null, steps: [] });
    } else if (stages.length === 0) {
      throw new Error(`${keyword} before the first FROM`);
    } else {
      stages.at(-1)!.steps.push({ keyword, text: rest });
    }
  }
  return stages;
}

export function copyOf(text: string): Copy {
  const words = text.split(/\s+/);
  const from = words[0]?.startsWith('--from=') === true ? words.shift()!.slice('--from='.length) : null;
  const target = words.pop();
  if (target === undefined || words.length === 0) throw new Error(`not a COPY: ${text}`);
  return { from, sources: words, target };
}

/** The exec form: a JSON list. The shell form is an error, because a shell would keep the signals to itself. */
export function execForm(text: string): readonly string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string'))
    throw new Error(`not the exec form: ${text}`);
  return words as readonly string[];
}

export function only(stage: Stage, keyword: string): string {
  const found = stage.steps.filter((step) => step.keyword === keyword);
  if (found.length !== 1) throw new Error(`${found.length} times ${keyword}`);
  return found[0]!.text;
}

function instructions(text: string): Step[] {
  const steps: Step[] = [];
  let joined = '';
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    joined += line.endsWith('\\') ? `${line.slice(0, -1)} ` : line;
    if (line.endsWith('\\')) continue;
    const match = /^\s*([A-Za-z]+)\s+([\s\S]*)$/.exec(joined);
    if (match === null) throw new Error(`not an instruction: ${joined}`);
    steps.push({ keyword: match[1]!.toUpperCase(), text: match[2]!.trim().replaceAll(/\s+/g, ' ') });
    joined = '';
  }
  return steps;
}
