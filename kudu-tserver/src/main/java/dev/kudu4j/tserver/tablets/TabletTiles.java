package dev.kudu4j.tserver.tablets;

import static j2html.TagCreator.span;

import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Tiles;
import dev.kudu4j.tablet.TabletStatistics;
import j2html.tags.DomContent;
import java.util.Collection;
import java.util.function.IntSupplier;

/** The tiles with the key figures of a server's tablets. */
public final class TabletTiles {
  private final TabletRegistry tablets;
  private final IntSupplier scans;

  /**
   * @param scans the number of open scans
   */
  public TabletTiles(TabletRegistry tablets, IntSupplier scans) {
    this.tablets = tablets;
    this.scans = scans;
  }

  public void add(Tiles tiles) {
    Collection<HostedTablet> all = tablets.all();
    long rows = 0;
    long diskBytes = 0;
    int leaders = 0;
    for (HostedTablet tablet : all) {
      if (tablet.isOpen()) {
        TabletStatistics statistics = tablet.statistics();
        rows += statistics.liveRows();
        diskBytes += tablet.onDiskBytes();
        leaders += tablet.replica().isLeader() ? 1 : 0;
      }
    }
    tiles
        .add("tablets", Figures.count(all.size()), state(all), TabletPages.LIST)
        .add("lead their groups", Figures.count(leaders), TabletPages.LIST)
        .add("rows in all replicas", Figures.count(rows), TabletPages.LIST)
        .add("on disk", Figures.bytes(diskBytes), TabletPages.LIST)
        .add("open scans", Figures.count(scans.getAsInt()), "/scans");
  }

  private static DomContent state(Collection<HostedTablet> all) {
    long failed = all.stream().filter(tablet -> tablet.state() == TabletStatePB.FAILED).count();
    long running = all.stream().filter(HostedTablet::isRunning).count();
    if (failed > 0) {
      return Badges.bad(failed + " failed");
    }
    if (running < all.size()) {
      return Badges.passing(all.size() - running + " not running yet");
    }
    return all.isEmpty() ? span() : Badges.good("all running");
  }
}
