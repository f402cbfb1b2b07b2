package dev.kudu4j.tools.transaction;

import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.tools.cell.Instants;
import dev.kudu4j.tools.console.ListColumn;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The columns of lists of transactions and their participants, named as in Apache Kudu's tool. */
enum TransactionColumn {
  txn_id,
  user,
  state,
  commit_datetime,
  commit_hybridtime,
  start_datetime,
  last_transition_datetime,
  participant_tablet_id,
  participant_table_name,
  participant_leader;

  /** The default columns of a transaction. */
  static final List<TransactionColumn> OF_TRANSACTION =
      List.of(txn_id, user, state, commit_datetime, start_datetime, last_transition_datetime);

  static final List<TransactionColumn> OF_PARTICIPANT =
      List.of(participant_tablet_id, participant_table_name, participant_leader);

  static final List<TransactionColumn> OF_BOTH =
      Stream.concat(OF_TRANSACTION.stream(), OF_PARTICIPANT.stream()).toList();

  boolean isOfParticipant() {
    return OF_PARTICIPANT.contains(this);
  }

  static List<ListColumn> titles(List<TransactionColumn> columns) {
    return columns.stream().map(column -> new ListColumn(column.name(), column == txn_id)).toList();
  }

  /** The cells of a row. Those without a value are null. */
  static List<Object> row(
      List<TransactionColumn> columns,
      StoredTransaction transaction,
      Optional<Participant> participant) {
    return columns.stream()
        .map(column -> column.cell(transaction, participant))
        .collect(Collectors.toList());
  }

  private Object cell(StoredTransaction transaction, Optional<Participant> participant) {
    TxnStatusEntryPB entry = transaction.entry();
    return switch (this) {
      case txn_id -> transaction.id();
      case user -> transaction.user();
      case state -> transaction.state().name();
      case commit_datetime ->
          entry.hasCommitTimestamp()
              ? Instants.text(HybridTime.micros(entry.getCommitTimestamp()))
              : null;
      case commit_hybridtime ->
          entry.hasCommitTimestamp() ? Long.toUnsignedString(entry.getCommitTimestamp()) : null;
      case start_datetime -> entry.hasStartTimestamp() ? seconds(entry.getStartTimestamp()) : null;
      case last_transition_datetime ->
          entry.hasLastTransitionTimestamp() ? seconds(entry.getLastTransitionTimestamp()) : null;
      case participant_tablet_id -> participant.map(Participant::tablet).orElse(null);
      case participant_table_name -> participant.flatMap(Participant::table).orElse(null);
      case participant_leader -> participant.flatMap(Participant::leader).orElse(null);
    };
  }

  private static String seconds(long sinceEpoch) {
    return Instant.ofEpochSecond(sinceEpoch).toString();
  }
}
