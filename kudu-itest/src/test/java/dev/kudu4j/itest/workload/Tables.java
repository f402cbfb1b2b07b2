package dev.kudu4j.itest.workload;

import dev.kudu4j.itest.workload.Catalog.Fate;
import dev.kudu4j.itest.workload.Store.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Each client creates tables, adds columns to them, renames and drops them, and writes a row to
 * each that it has created. At the end acknowledged changes are in effect, with the row if it was
 * acknowledged; rejected changes are not; and no unrequested table exists.
 *
 * <p>A change without a response may be made later. So its client does not use the table again,
 * under its old or its new name; at the end either may exist.
 */
public final class Tables implements Workload {
  private static final String PREFIX = "made-";
  private static final List<String> FIRST_COLUMNS = List.of("key", "value", "mark");
  private static final int MAX_TABLES_OF_WORKER = 2;
  private static final long REST_MILLIS = 150;
  private static final Row ROW = new Row(1, 2, 3);

  private final Findings findings;
  private final int workerCount;
  private final Map<String, Table> known = new ConcurrentHashMap<>();
  private final Set<String> doubtful = ConcurrentHashMap.newKeySet();
  private final Map<Fate, AtomicLong> fates = new EnumMap<>(Fate.class);
  private final AtomicLong names = new AtomicLong();

  /**
   * A table that certainly exists.
   *
   * @param hasRow whether its row was acknowledged
   */
  private record Table(String name, List<String> columns, boolean hasRow) {
    Table named(String other) {
      return new Table(other, columns, hasRow);
    }

    Table with(String column) {
      List<String> more = new ArrayList<>(columns);
      more.add(column);
      return new Table(name, List.copyOf(more), hasRow);
    }

    Table withRow() {
      return new Table(name, columns, true);
    }
  }

  public Tables(Findings findings, int workerCount) {
    this.findings = findings;
    this.workerCount = workerCount;
    for (Fate fate : Fate.values()) {
      fates.put(fate, new AtomicLong());
    }
  }

  @Override
  public String name() {
    return "tables";
  }

  @Override
  public void prepare(Store store) {
    // The workers create them.
  }

  @Override
  public List<Worker> workers() {
    return IntStream.range(0, workerCount).mapToObj(i -> (Worker) new Author()).toList();
  }

  private final class Author implements Worker {
    private final List<String> mine = new ArrayList<>();

    @Override
    public long restMillis() {
      return REST_MILLIS;
    }

    @Override
    public boolean step(Store store, Random random) throws Unavailable {
      if (mine.isEmpty() || (mine.size() < MAX_TABLES_OF_WORKER && random.nextBoolean())) {
        return create(store);
      }
      Table table = known.get(mine.get(random.nextInt(mine.size())));
      return switch (random.nextInt(3)) {
        case 0 -> addColumn(store.catalog(), table);
        case 1 -> rename(store.catalog(), table);
        default -> drop(store, table);
      };
    }

    private boolean create(Store store) {
      Table table = new Table(newName(), FIRST_COLUMNS, false);
      Fate fate = counted(store.catalog().create(table.name()));
      settle(fate, table, null, table);
      if (fate == Fate.DONE && store.upsert(table.name(), List.of(ROW)) == Outcome.DONE) {
        known.put(table.name(), table.withRow());
      }
      return fate == Fate.DONE;
    }

    private boolean addColumn(Catalog catalog, Table table) {
      String column = "more" + table.columns().size();
      Fate fate = counted(catalog.addColumn(table.name(), column));
      return settle(fate, table, table, table.with(column));
    }

    private boolean rename(Catalog catalog, Table table) {
      Table renamed = table.named(newName());
      return settle(counted(catalog.rename(table.name(), renamed.name())), renamed, table, renamed);
    }

    private boolean drop(Store store, Table table) throws Unavailable {
      checkRows(store, table);
      return settle(counted(store.catalog().drop(table.name())), table, table, null);
    }

    /**
     * Notes the current state.
     *
     * @param other the additional name that may exist if the outcome is unknown
     * @param before null if there was no table
     * @param after null if there is no table afterwards
     */
    private boolean settle(Fate fate, Table other, Table before, Table after) {
      if (before != null) {
        known.remove(before.name());
        mine.remove(before.name());
      }
      if (fate == Fate.UNKNOWN) {
        doubtful.add(other.name());
        if (before != null) {
          doubtful.add(before.name());
        }
        return false;
      }
      Table now = fate == Fate.DONE ? after : before;
      if (now != null) {
        known.put(now.name(), now);
        mine.add(now.name());
      }
      return fate == Fate.DONE;
    }
  }

  private String newName() {
    return PREFIX + names.incrementAndGet();
  }

  private Fate counted(Fate fate) {
    fates.get(fate).incrementAndGet();
    return fate;
  }

  @Override
  public void verify(Store store) throws Unavailable {
    Collection<String> there = new HashSet<>(store.catalog().tables());
    for (Table table : known.values()) {
      if (there.contains(table.name())) {
        verify(store, table);
      } else {
        findings.add("tables: %s was made, and is gone", table);
      }
    }
    there.stream()
        .filter(name -> name.startsWith(PREFIX) && !known.containsKey(name))
        .filter(name -> !doubtful.contains(name))
        .forEach(name -> findings.add("tables: %s is there, and should not be", name));
  }

  private void verify(Store store, Table table) throws Unavailable {
    List<String> columns = store.catalog().columns(table.name());
    if (!columns.equals(table.columns())) {
      findings.add("tables: %s has the columns %s", table, columns);
    }
    checkRows(store, table);
  }

  private void checkRows(Store store, Table table) throws Unavailable {
    List<Row> rows = store.read(Reading.strict(table.name(), Reading.ALL));
    boolean right = table.hasRow() ? rows.equals(List.of(ROW)) : rows.size() <= 1;
    if (!right) {
      findings.add("tables: %s holds %s", table, rows);
    }
  }

  @Override
  public String summary() {
    return String.format(
        "%s changes done, %s refused, %s unknown; %d tables are left, %d names in doubt",
        fates.get(Fate.DONE),
        fates.get(Fate.REFUSED),
        fates.get(Fate.UNKNOWN),
        known.size(),
        doubtful.size());
  }
}
