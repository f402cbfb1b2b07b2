package dev.kudu4j.tserver.transaction;

import static j2html.TagCreator.h2;
import static j2html.TagCreator.p;
import static j2html.TagCreator.text;

import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.server.replica.TransactionParticipant;
import dev.kudu4j.server.replica.write.WaitingWrites;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Slice;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletPages;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The page of transactions that have not ended: those that this server coordinates, those that have
 * rows in its tablets, and the writes that wait for them.
 */
final class TransactionsPage {
  private static final int TABLETS_SHOWN = 8;
  private static final String PATH = "/transactions";

  private final Coordinators coordinators;
  private final TabletRegistry tablets;
  private final HybridClock clock;

  private TransactionsPage(Coordinators coordinators, TabletRegistry tablets, HybridClock clock) {
    this.coordinators = coordinators;
    this.tablets = tablets;
    this.clock = clock;
  }

  static WebPage of(Coordinators coordinators, TabletRegistry tablets, HybridClock clock) {
    TransactionsPage page = new TransactionsPage(coordinators, tablets, clock);
    return WebPage.of(PATH, "Transactions", page::view);
  }

  /** A transaction that this server coordinates. */
  private record Coordinated(CoordinatedTransaction transaction, TxnStatusEntryPB entry) {}

  /**
   * A transaction in a tablet.
   *
   * @param waiting the number of writes that wait for one of its keys
   */
  private record InTablet(HostedTablet tablet, OpenTransaction transaction, int waiting) {}

  /** Writes that wait because the commit timestamp of a prepared transaction has passed. */
  private record Stalled(HostedTablet tablet, int writes) {}

  private View view(Query query) {
    List<Coordinated> coordinated = coordinated();
    List<InTablet> open = new ArrayList<>();
    List<Stalled> stalled = new ArrayList<>();
    tablets.all().stream()
        .filter(HostedTablet::isRunning)
        .sorted(Comparator.comparing(HostedTablet::tabletId))
        .forEach(tablet -> addTablet(tablet, open, stalled));
    Slice<InTablet> shown = Slice.of(open, query);
    return View.of(
        "Transactions",
        p(
            "Transactions that have not ended. The leader of a tablet of the table of transactions"
                + " coordinates those with the ids of the tablet."),
        h2("Coordinated here"),
        coordinatedTable().rows(coordinated.subList(0, Math.min(Slice.ROWS, coordinated.size()))),
        p(rest(coordinated.size() - Slice.ROWS)),
        h2("In tablets of this server"),
        tabletsTable(began(coordinated)).rows(shown.rows()),
        shown.pager(PATH + "?"),
        h2("Writes that wait for a commit"),
        p(
            "The commit timestamp of a prepared transaction has passed, and its coordinator has"
                + " not sent the end yet. Writes that wait for a key are counted above."),
        stalledTable().rows(stalled));
  }

  private List<Coordinated> coordinated() {
    return coordinators.all().stream()
        .flatMap(coordinator -> coordinator.open().stream())
        .map(transaction -> new Coordinated(transaction, transaction.chosen()))
        .sorted(Comparator.comparingLong(each -> each.transaction.id()))
        .toList();
  }

  private static void addTablet(HostedTablet tablet, List<InTablet> open, List<Stalled> stalled) {
    TransactionParticipant transactions;
    try {
      transactions = tablet.replica().transactions();
    } catch (KuduException e) {
      return; // it has just been closed
    }
    WaitingWrites waiting = transactions.waiting();
    for (OpenTransaction transaction : transactions.open()) {
      int forKeys = waiting.forKeys().getOrDefault(transaction.id(), 0);
      open.add(new InTablet(tablet, transaction, forKeys));
    }
    if (waiting.forTimestamp() > 0) {
      stalled.add(new Stalled(tablet, waiting.forTimestamp()));
    }
  }

  private static String rest(int count) {
    return count > 0 ? "And " + Figures.countText(count) + " more with greater ids." : "";
  }

  private DataTable<Coordinated> coordinatedTable() {
    long nowNanos = System.nanoTime();
    return DataTable.<Coordinated>of("Transactions that this server coordinates")
        .dense()
        .number("Transaction", each -> text(Long.toString(each.transaction.id())))
        .cell("State", each -> state(each.entry.getState()))
        .text("User", each -> each.transaction.user())
        .number("Age", each -> age(each.entry.getStartTimestamp()))
        .number("Sign of life", each -> signOfLife(each, nowNanos))
        .number("Participants", each -> Figures.count(each.transaction.registrations().size()))
        .number("Commit timestamp", each -> timestamp(each.entry.getCommitTimestamp()))
        .prose("Tablets", TransactionsPage::tablets)
        .whenEmpty("None at this moment.");
  }

  private static String tablets(Coordinated each) {
    Collection<String> all = each.transaction.registrations();
    String first = all.stream().limit(TABLETS_SHOWN).collect(Collectors.joining(" "));
    return all.size() > TABLETS_SHOWN ? first + " ..." : first;
  }

  private static DomContent state(TxnStatePB state) {
    return switch (state) {
      case OPEN -> Badges.passing(state.name());
      case COMMIT_IN_PROGRESS, FINALIZE_IN_PROGRESS, COMMITTED -> Badges.good(state.name());
      default -> Badges.bad(state.name());
    };
  }

  /** The state of a client matters as long as its transaction is open. */
  private static DomContent signOfLife(Coordinated each, long nowNanos) {
    return each.entry.getState() == TxnStatePB.OPEN
        ? Figures.ago(each.transaction.silentNanos(nowNanos))
        : Figures.none();
  }

  private DomContent age(long startSeconds) {
    long seconds = TimeUnit.MICROSECONDS.toSeconds(clock.source().nowMicros()) - startSeconds;
    return Figures.duration(TimeUnit.SECONDS.toNanos(Math.max(0, seconds)));
  }

  private static DomContent timestamp(long commitTimestamp) {
    return commitTimestamp == OpenTransaction.NOT_PREPARED
        ? Figures.none()
        : Figures.moment(HybridTime.micros(commitTimestamp));
  }

  /** By id: when the transactions began, in seconds. */
  private static Map<Long, Long> began(List<Coordinated> coordinated) {
    return coordinated.stream()
        .collect(
            Collectors.toMap(
                each -> each.transaction.id(),
                each -> each.entry.getStartTimestamp(),
                (one, other) -> one));
  }

  /**
   * @param began when transactions began, as far as this server knows
   */
  private DataTable<InTablet> tabletsTable(Map<Long, Long> began) {
    Function<InTablet, DomContent> age =
        each -> {
          Long start = began.get(each.transaction.id());
          return start == null ? Figures.none() : age(start);
        };
    return DataTable.<InTablet>of("Open transactions in the tablets of this server")
        .dense()
        .prose("Table", each -> each.tablet.tablet().descriptor().tableName())
        .shortId("Tablet", each -> TabletPages.link(each.tablet.tabletId()))
        .number("Transaction", each -> text(Long.toString(each.transaction.id())))
        .number("Age", age)
        .number("Staged rows", each -> Figures.count(each.transaction.rowCount()))
        .number("In memory", each -> Figures.bytesIfAny(each.transaction.memoryBytes()))
        .number("In files", each -> Figures.bytesIfAny(each.transaction.fileBytes()))
        .number("Held keys", each -> Figures.count(each.transaction.keyCount()))
        .number("Prepared to commit at", each -> timestamp(each.transaction.commitTimestamp()))
        .number("Writes waiting", each -> Figures.count(each.waiting))
        .whenEmpty("None at this moment.");
  }

  private static DataTable<Stalled> stalledTable() {
    return DataTable.<Stalled>of("Writes that wait for a commit")
        .prose("Table", each -> each.tablet.tablet().descriptor().tableName())
        .shortId("Tablet", each -> TabletPages.link(each.tablet.tabletId()))
        .number("Writes", each -> Figures.count(each.writes))
        .whenEmpty("None at this moment.");
  }
}
