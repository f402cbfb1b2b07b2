package dev.kudu4j.itest.workload;

import dev.kudu4j.itest.workload.Store.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * New rows, one or several at a time. At the end each acknowledged row exists, once, with its
 * value; a row of unknown outcome may exist; no other row exists.
 *
 * <p>A worker inserts no key twice. So if a worker's row already exists, its own request took
 * effect twice.
 */
public final class Inserts implements Workload {
  private static final String TABLE = "inserts";
  private static final int TABLETS = 4;
  private static final int MAX_ROWS = 20;

  private final Findings findings;
  private final int workerCount;
  private final Map<Long, Outcome> outcomes = new ConcurrentHashMap<>();

  public Inserts(Findings findings, int workerCount) {
    this.findings = findings;
    this.workerCount = workerCount;
  }

  @Override
  public String name() {
    return TABLE;
  }

  @Override
  public void prepare(Store store) throws Unavailable {
    store.create(TABLE, TABLETS);
  }

  @Override
  public List<Worker> workers() {
    return IntStream.range(0, workerCount).mapToObj(this::worker).toList();
  }

  private Worker worker(int number) {
    return new Worker() {
      private long next = (long) number << 40;

      @Override
      public boolean step(Store store, Random random) {
        List<Row> rows = new ArrayList<>();
        for (int count = 1 + random.nextInt(MAX_ROWS); count > 0; count--) {
          rows.add(row(next++));
        }
        rows.forEach(row -> outcomes.put(row.key(), Outcome.UNKNOWN));
        return note(rows, store.insert(TABLE, rows));
      }
    };
  }

  private boolean note(List<Row> rows, List<Outcome> answers) {
    for (int i = 0; i < rows.size(); i++) {
      if (answers.get(i) == Outcome.PRESENT) {
        findings.add("inserts: row %d was there before its insert took effect", rows.get(i).key());
      }
      outcomes.put(rows.get(i).key(), answers.get(i));
    }
    return answers.stream().allMatch(answer -> answer == Outcome.DONE);
  }

  private static Row row(long key) {
    return new Row(key, key * 0x9E3779B97F4A7C15L, key);
  }

  @Override
  public void verify(Store store) throws Unavailable {
    Map<Long, Outcome> missing = new HashMap<>(outcomes);
    for (Row found : store.read(Reading.strict(TABLE, Reading.ALL))) {
      if (!outcomes.containsKey(found.key())) {
        findings.add("inserts: %s, which nobody inserted", found);
      } else if (missing.remove(found.key()) == null) {
        findings.add("inserts: %s is there twice", found);
      } else if (!found.equals(row(found.key()))) {
        findings.add("inserts: %s in place of %s", found, row(found.key()));
      }
    }
    missing.forEach(
        (key, outcome) -> {
          if (outcome == Outcome.DONE) {
            findings.add("inserts: row %d was acknowledged, and is gone", key);
          }
        });
  }

  @Override
  public String summary() {
    long done = outcomes.values().stream().filter(outcome -> outcome == Outcome.DONE).count();
    return done + " rows acknowledged, " + (outcomes.size() - done) + " unknown";
  }
}
