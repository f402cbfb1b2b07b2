package dev.kudu4j.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All numbers of a run: one per figure, side and round.
 *
 * <p>The ratio of a side to the baseline is computed for each round, and the median of the ratios
 * is reported. Since the sides take turns within a round, slow periods of the machine affect all
 * sides.
 */
public final class Measurements {
  private final List<Figure> order;
  private final Map<Figure, Map<Side, List<Double>>> values = new HashMap<>();

  /**
   * @param order possible figures, in the order of the table
   */
  public Measurements(List<? extends Figure> order) {
    this.order = List.copyOf(order);
  }

  public void add(Side side, Figure figure, double value) {
    values
        .computeIfAbsent(figure, f -> new EnumMap<>(Side.class))
        .computeIfAbsent(side, s -> new ArrayList<>())
        .add(value);
  }

  /** The values of a figure for a side, in the order of the rounds; empty if there are none. */
  public double[] of(Side side, Figure figure) {
    return values.getOrDefault(figure, Map.of()).getOrDefault(side, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /** The measured figures, in the order of the table. */
  public List<Figure> figures() {
    return order.stream().filter(values::containsKey).toList();
  }

  /** The sides that have values, in the order of {@link Side}. */
  public List<Side> sides() {
    return Arrays.stream(Side.values())
        .filter(side -> values.values().stream().anyMatch(bySide -> bySide.containsKey(side)))
        .toList();
  }

  /**
   * The side with which the other sides are compared: the last of {@link #sides}; empty if only one
   * side ran.
   */
  public Optional<Side> baseline() {
    List<Side> sides = sides();
    return sides.size() < 2 ? Optional.empty() : Optional.of(sides.get(sides.size() - 1));
  }

  /** Whether the side is compared with another one. */
  public boolean hasRatio(Side side) {
    return baseline().filter(baseline -> baseline != side).isPresent();
  }

  /**
   * The median over the rounds of the ratio of the side's value to the baseline's value; empty
   * unless both have values.
   */
  public OptionalDouble ratio(Side side, Figure figure) {
    double[] own = of(side, figure);
    double[] other = baseline().map(baseline -> of(baseline, figure)).orElse(new double[0]);
    int rounds = Math.min(own.length, other.length);
    double[] ratios = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      ratios[round] = own[round] / other[round];
    }
    return rounds == 0 ? OptionalDouble.empty() : OptionalDouble.of(Samples.median(ratios));
  }
}
