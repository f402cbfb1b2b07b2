package dev.kudu4j.benchmarks.admaster;

import dev.kudu4j.benchmarks.selection.CellType;
import dev.kudu4j.benchmarks.selection.Days;
import dev.kudu4j.benchmarks.selection.GeneratedTable;
import dev.kudu4j.benchmarks.selection.Range;
import dev.kudu4j.benchmarks.selection.TableColumn;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Events of an advertisement monitor: 52 columns, about 524 bytes a row. Each row depends on its
 * number alone.
 *
 * <p>The dates of events are in no order, as if the key were that of a device: if they were in the
 * order of the key, the statistics of pages would exclude the other dates, and no index were
 * needed.
 *
 * @param rowCount number of the rows
 */
record AdEvents(long rowCount) implements GeneratedTable {
  static final String DATE = "event_date";
  static final String OS = "os";

  /** An operating system of a sixth of the events. */
  static final String RARE_OS = "iOS";

  private static final int DAYS = 400;
  private static final int FIRST_DAY = (int) LocalDate.of(2025, 1, 1).toEpochDay();
  private static final int SECONDS_OF_DAY = 86_400;
  private static final List<String> SYSTEMS =
      List.of("Android", "Android", "Android", RARE_OS, "Windows", "HarmonyOS");
  private static final List<String> BRANDS =
      List.of("Huawei", "Xiaomi", "OPPO", "vivo", "Apple", "Samsung", "Honor", "Lenovo");
  private static final List<String> BROWSERS =
      List.of("Chrome 131", "Safari 18.1", "Edge 131", "UC 15.5", "QQ 13.2", "WebView");
  private static final List<String> PROVINCES =
      List.of("Guangdong", "Jiangsu", "Shandong", "Zhejiang", "Henan", "Sichuan", "Beijing");
  private static final List<String> NETWORKS = List.of("wifi", "4g", "5g", "unknown");
  private static final List<String> ACTIONS = List.of("impression", "impression", "click", "play");

  /** Texts of random characters. */
  private static final List<String> IDS =
      List.of("cookie_id", "device_id", "advertising_id", "session_id");

  private static final int ID_CHARACTERS = 32;

  /** Keys of other tables. */
  private static final List<String> KEYS =
      List.of(
          "campaign_id",
          "placement_id",
          "creative_id",
          "publisher_id",
          "channel_id",
          "advertiser_id",
          "agency_id",
          "landing_page_id",
          "segment_id",
          "region_id");

  /** The number of different values of each key. */
  private static final List<Integer> KEY_VALUES =
      List.of(2_000, 40_000, 10_000, 600, 40, 900, 120, 15_000, 300, 340);

  private static final List<String> MEASURES =
      List.of(
          "screen_width",
          "screen_height",
          "view_millis",
          "view_percent",
          "scroll_percent",
          "load_millis",
          "position_x",
          "position_y",
          "frequency",
          "player_volume",
          "video_seconds",
          "bid_micros",
          "price_micros",
          "latency_millis",
          "retries",
          "quality");

  AdEvents {
    if (rowCount < 1) {
      throw new IllegalArgumentException("The number of rows must be positive");
    }
  }

  @Override
  public String name() {
    return "ad_events";
  }

  @Override
  public List<TableColumn> columns() {
    List<TableColumn> columns = new ArrayList<>();
    add(columns, CellType.INT64, List.of("event_id"));
    add(columns, CellType.DATE, List.of(DATE));
    add(columns, CellType.STRING, List.of(OS));
    add(columns, CellType.INT64, List.of("event_second", "received_second", "user_number"));
    add(columns, CellType.INT32, KEYS);
    add(columns, CellType.INT32, MEASURES);
    add(columns, CellType.DOUBLE, List.of("latitude", "longitude", "score", "fraud_score"));
    add(
        columns,
        CellType.STRING,
        List.of(
            "action",
            "brand",
            "model",
            "browser",
            "network",
            "province",
            "city",
            "ip",
            "language",
            "user_agent",
            "page_url",
            "referrer_url"));
    add(columns, CellType.STRING, IDS);
    return columns;
  }

  private static void add(List<TableColumn> columns, CellType type, List<String> names) {
    names.forEach(name -> columns.add(new TableColumn(name, type)));
  }

  @Override
  public Iterator<Object[]> rows(int part, int parts) {
    Object[] cells = new Object[columns().size()];
    return LongStream.range(rowCount * (part - 1) / parts, rowCount * part / parts)
        .mapToObj(
            number -> {
              fill(cells, number);
              return cells;
            })
        .iterator();
  }

  private static void fill(Object[] cells, long number) {
    SplittableRandom random = new SplittableRandom(number);
    int day = FIRST_DAY + random.nextInt(DAYS);
    long second = (long) day * SECONDS_OF_DAY + random.nextInt(SECONDS_OF_DAY);
    String os = one(SYSTEMS, random);
    String model = "model-" + random.nextInt(900);
    String browser = one(BROWSERS, random);
    int column = 0;
    cells[column++] = number;
    cells[column++] = Days.date(day);
    cells[column++] = os;
    cells[column++] = second;
    cells[column++] = second + random.nextInt(90);
    cells[column++] = random.nextLong(50_000_000);
    for (int values : KEY_VALUES) {
      cells[column++] = random.nextInt(values);
    }
    for (int i = 0; i < MEASURES.size(); i++) {
      cells[column++] = random.nextInt(2_000);
    }
    cells[column++] = 20 + random.nextInt(2_500_000) / 1e5;
    cells[column++] = 75 + random.nextInt(5_500_000) / 1e5;
    cells[column++] = random.nextInt(1_000) / 1e3;
    cells[column++] = random.nextInt(1_000) / 1e3;
    String province = one(PROVINCES, random);
    cells[column++] = one(ACTIONS, random);
    cells[column++] = one(BRANDS, random);
    cells[column++] = model;
    cells[column++] = browser;
    cells[column++] = one(NETWORKS, random);
    cells[column++] = province;
    cells[column++] = province + " city " + random.nextInt(20);
    cells[column++] = ip(random);
    cells[column++] = random.nextInt(10) == 0 ? "en-US" : "zh-CN";
    cells[column++] = "Mozilla/5.0 (Linux; " + os + "; " + model + ") Mobile " + browser;
    cells[column++] = url(random, "https://news.example/page/");
    cells[column++] = url(random, "https://search.example/?q=");
    for (int i = 0; i < IDS.size(); i++) {
      cells[column++] = id(random);
    }
  }

  private static String one(List<String> values, RandomGenerator random) {
    return values.get(random.nextInt(values.size()));
  }

  private static String ip(RandomGenerator random) {
    return "10." + random.nextInt(256) + '.' + random.nextInt(256) + '.' + random.nextInt(256);
  }

  private static String url(RandomGenerator random, String site) {
    return site + random.nextInt(5_000) + "/article-" + random.nextInt(200_000);
  }

  private static String id(RandomGenerator random) {
    StringBuilder text = new StringBuilder(ID_CHARACTERS);
    while (text.length() < ID_CHARACTERS) {
      text.append(Long.toHexString(random.nextLong() | 1L << 60));
    }
    return text.toString();
  }

  /** A range of about this share of the days, at least one. */
  static Range dates(double share, RandomGenerator random) {
    int width = (int) Math.min(DAYS, Math.max(1, Math.round(share * DAYS)));
    int lower = FIRST_DAY + random.nextInt(DAYS - width + 1);
    return new Range(DATE, Days.date(lower), Days.date(lower + width - 1));
  }

  /** The events of {@link #RARE_OS}. */
  static Range rareSystem() {
    return Range.of(OS, RARE_OS);
  }
}
