/**
 * A set of the calls in progress, in no order. It is not a Set: V8 rebuilds the table of a Set every few dozen
 * deletions and links each discarded table to its successor. So one table that reached the old generation keeps all
 * later ones, and every exchange in them, alive until the next full collection. docs/benchmarks.md has what that
 * cost.
 */
export interface RosterMember {
  /** The member's index in the roster, or NOT_IN_ROSTER when it is not in it. Only the roster writes it. */
  index: number;
}

export const NOT_IN_ROSTER = -1;

export interface Roster<Member extends RosterMember> {
  size(): number;
  add(member: Member): void;
  /** False when the member was not in the roster. */
  remove(member: Member): boolean;
  /**
   * Members may be added and removed during the visit. A member that is there throughout is visited at least once,
   * perhaps twice.
   */
  each(visit: (member: Member) => void): void;
}

export function createRoster<Member extends RosterMember>(): Roster<Member> {
  const members: Member[] = [];
  return {
    size: () => members.length,
    add(member) {
      member.index = members.length;
      members.push(member);
    },
    remove(member) {
      const { index } = member;
      if (index === NOT_IN_ROSTER) return false;
      member.index = NOT_IN_ROSTER;
      const last = members.pop()!;
      if (last !== member) {
        members[index] = last;
        last.index = index;
      }
      return true;
    },
    each(visit) {
      // Backwards: `remove` fills a gap with the last member, which has been visited by then.
      for (let i = members.length - 1; i >= 0; i -= 1) {
        const member = members[i];
        if (member !== undefined) visit(member);
      }
    },
  };
}
