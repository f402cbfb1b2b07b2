package dev.kudu4j.server.process;

import dev.kudu4j.server.metrics.ServerMetrics;
import dev.kudu4j.server.metrics.model.MetricEntity;
import dev.kudu4j.server.web.Link;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Tiles;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The pages, tiles and metrics that a daemon adds to those that every daemon has. They are added
 * before the process starts to serve, and only read afterwards.
 */
public final class ServerPages {
  private final List<WebPage> pages = new ArrayList<>();
  private final List<Consumer<Tiles>> tiles = new ArrayList<>();
  private final List<Consumer<MeterRegistry>> meters = new ArrayList<>();
  private final List<Consumer<MetricEntity.Readings>> measures = new ArrayList<>();
  private final List<Supplier<Stream<MetricEntity>>> entities = new ArrayList<>();
  private Supplier<List<Link>> elsewhere = List::of;

  ServerPages() {}

  /**
   * Adds a web page. The navigation lists the pages of the daemon first, in the order in which they
   * were added.
   */
  public void add(WebPage page) {
    pages.add(page);
  }

  /** Adds tiles to the first page. */
  public void addTiles(Consumer<Tiles> more) {
    tiles.add(more);
  }

  /**
   * Adds meters. {@code publisher} registers them once the registry of the server's metrics exists.
   */
  public void addMeters(Consumer<MeterRegistry> publisher) {
    meters.add(publisher);
  }

  /** Adds metrics of the server entity. */
  public void addMeasures(Consumer<MetricEntity.Readings> measure) {
    measures.add(measure);
  }

  /**
   * Adds entities with their own metrics, such as tablets; the supplier is called for each request.
   */
  public void addEntities(Supplier<Stream<MetricEntity>> more) {
    entities.add(more);
  }

  /**
   * Sets the links to pages of other servers, which every page shows. The supplier must be cheap.
   */
  public void leadTo(Supplier<List<Link>> others) {
    elsewhere = others;
  }

  List<WebPage> pages() {
    return pages;
  }

  List<Link> elsewhere() {
    return elsewhere.get();
  }

  Tiles tiles(Tiles base) {
    tiles.forEach(more -> more.accept(base));
    return base;
  }

  void publish(ServerMetrics metrics) {
    meters.forEach(publisher -> publisher.accept(metrics.registry()));
  }

  void measure(MetricEntity.Readings readings) {
    measures.forEach(measure -> measure.accept(readings));
  }

  Stream<MetricEntity> entities() {
    return entities.stream().flatMap(Supplier::get);
  }
}
