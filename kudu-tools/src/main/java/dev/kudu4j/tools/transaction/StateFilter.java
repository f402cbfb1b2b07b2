package dev.kudu4j.tools.transaction;

import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.status.KuduException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The states of the transactions that a list contains. */
record StateFilter(Set<TxnStatePB> states) {
  private static final String ALL = "*";

  /**
   * @param names names of states, in any case; {@code *} for all
   * @throws KuduException INVALID_ARGUMENT for an unknown name
   */
  static StateFilter of(List<String> names) {
    Set<TxnStatePB> states = EnumSet.noneOf(TxnStatePB.class);
    for (String name : names) {
      if (name.strip().equals(ALL)) {
        return new StateFilter(EnumSet.allOf(TxnStatePB.class));
      }
      states.add(state(name.strip()));
    }
    return new StateFilter(states);
  }

  private static TxnStatePB state(String name) {
    return known().stream()
        .filter(state -> state.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                KuduException.invalidArgument(
                    "--included_states: there is no state '%s'; states are %s, or * for all",
                    name,
                    known().stream()
                        .map(state -> state.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", "))));
  }

  private static Set<TxnStatePB> known() {
    return EnumSet.complementOf(EnumSet.of(TxnStatePB.UNKNOWN));
  }

  boolean includes(StoredTransaction transaction) {
    return states.contains(transaction.state());
  }
}
