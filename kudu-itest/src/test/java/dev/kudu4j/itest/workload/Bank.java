package dev.kudu4j.itest.workload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.itest.workload.Store.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Transfers among the accounts of a branch: one request sets all of them, to numbers whose sum is
 * the branch's total. A request is applied at one timestamp, so at each snapshot the accounts of a
 * branch have this sum and the mark of one request. That holds whichever requests were lost, late
 * or concurrent, so a writer does not need to know the current values.
 *
 * <p>Readers read snapshots at the leader and at other replicas. A snapshot that was read once is
 * read again later, at another replica, and must be equal.
 */
public final class Bank implements Workload {
  private static final String TABLE = "bank";
  private static final int BRANCHES = 6;
  private static final int ACCOUNTS = 8;
  private static final long MONEY = 1_000;
  private static final int REMEMBERED = 40;

  private final Findings findings;
  private final AtomicLong marks = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong transfers = new AtomicLong();
  private final Random order = new Random(1);

  @GuardedBy("this")
  private final List<Snapshot> remembered = new ArrayList<>();

  private record Snapshot(long timestamp, List<Row> rows) {}

  public Bank(Findings findings) {
    this.findings = findings;
  }

  @Override
  public String name() {
    return TABLE;
  }

  @Override
  public void prepare(Store store) throws Unavailable {
    store.create(TABLE, 1);
    for (int branch = 0; branch < BRANCHES; branch++) {
      Outcome opened = Outcome.UNKNOWN;
      while (opened != Outcome.DONE) {
        opened = store.upsert(TABLE, transfer(branch, order));
      }
    }
  }

  @Override
  public List<Worker> workers() {
    return List.of(this::move, this::move, this::look, this::look, this::lookAgain);
  }

  private boolean move(Store store, Random random) {
    transfers.incrementAndGet();
    return store.upsert(TABLE, transfer(random.nextInt(BRANCHES), random)) == Outcome.DONE;
  }

  private List<Row> transfer(int branch, Random random) {
    long mark = marks.incrementAndGet();
    List<Row> accounts = new ArrayList<>();
    long left = MONEY;
    for (int account = 0; account < ACCOUNTS; account++) {
      long balance = account == ACCOUNTS - 1 ? left : random.nextInt(2 * (int) MONEY) - MONEY;
      left -= balance;
      accounts.add(new Row((long) branch * ACCOUNTS + account, balance, mark));
    }
    return accounts;
  }

  private boolean look(Store store, Random random) throws Unavailable {
    long timestamp = store.lastTimestamp();
    if (timestamp == 0) {
      store.read(Reading.strict(TABLE, Reading.ALL)); // gets the time
      return true;
    }
    check(new Snapshot(timestamp, read(store, random, timestamp)));
    return true;
  }

  private List<Row> read(Store store, Random random, long timestamp) throws Unavailable {
    Reading.Where where = random.nextBoolean() ? Reading.Where.ANY : Reading.Where.LEADER;
    List<Row> rows = new ArrayList<>(store.read(Reading.snapshot(TABLE, where, timestamp)));
    rows.sort(Comparator.comparingLong(Row::key));
    reads.incrementAndGet();
    return rows;
  }

  private void check(Snapshot snapshot) {
    Map<Long, List<Row>> branches = new HashMap<>();
    snapshot
        .rows()
        .forEach(
            row -> branches.computeIfAbsent(row.key() / ACCOUNTS, b -> new ArrayList<>()).add(row));
    if (branches.size() != BRANCHES) {
      findings.add("bank: at %d there are %s", snapshot.timestamp(), snapshot.rows());
    }
    branches.forEach((branch, accounts) -> check(branch, accounts, snapshot.timestamp()));
    remember(snapshot);
  }

  private void check(long branch, List<Row> accounts, long timestamp) {
    boolean ofOneRequest = accounts.stream().map(Row::mark).distinct().count() == 1;
    long money = accounts.stream().mapToLong(Row::value).sum();
    if (accounts.size() != ACCOUNTS || !ofOneRequest || money != MONEY) {
      findings.add("bank: at %d branch %d has %d in %s", timestamp, branch, money, accounts);
    }
  }

  private synchronized void remember(Snapshot snapshot) {
    if (remembered.size() < REMEMBERED) {
      remembered.add(snapshot);
    } else {
      remembered.set(order.nextInt(REMEMBERED), snapshot);
    }
  }

  private synchronized Snapshot anyRemembered(Random random) {
    return remembered.isEmpty() ? null : remembered.get(random.nextInt(remembered.size()));
  }

  private boolean lookAgain(Store store, Random random) throws Unavailable {
    Snapshot first = anyRemembered(random);
    if (first != null) {
      List<Row> rows = read(store, random, first.timestamp());
      if (!rows.equals(first.rows())) {
        findings.add(
            "bank: at %d were %s and now %s",
            first.timestamp(), without(first.rows(), rows), without(rows, first.rows()));
      }
    }
    return true;
  }

  private static List<Row> without(List<Row> rows, List<Row> others) {
    return rows.stream().filter(row -> !others.contains(row)).toList();
  }

  @Override
  public void verify(Store store) throws Unavailable {
    List<Row> rows = new ArrayList<>(store.read(Reading.strict(TABLE, Reading.ALL)));
    rows.sort(Comparator.comparingLong(Row::key));
    check(new Snapshot(Reading.NOW, rows));
  }

  @Override
  public String summary() {
    return transfers + " transfers, " + reads + " snapshots read";
  }
}
