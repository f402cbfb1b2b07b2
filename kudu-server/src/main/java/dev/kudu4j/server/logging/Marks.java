package dev.kudu4j.server.logging;

import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/** Marks on log events that the daemons' log configuration looks at. */
public final class Marks {
  /**
   * A line that anybody with access to the ports can cause as often as they like, such as that a
   * table was created. The daemons' log leaves out what exceeds a rate and counts it.
   */
  public static final Marker ON_DEMAND = MarkerFactory.getMarker("ON_DEMAND");

  private Marks() {}
}
