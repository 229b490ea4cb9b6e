#!/usr/bin/env python3
"""Makes vector tiles of an extract of OpenStreetMap: make_tiles.py [--centre LAT,LNG] INPUT.osm.pbf OUTPUT.pmtiles.

The tiles have zooms 12 to 16 and the part of Protomaps' layers that the pages draw: `landuse`, `water`, `buildings` and
`roads`, with `kind` and `name`. The same input makes the same bytes."""
import argparse
import collections
import functools
import gzip
import math

import mapbox_vector_tile
import osmium
import pmtiles.tile
import shapely
from pmtiles.tile import Compression, TileType, zxy_to_tileid
from pmtiles.writer import write
from shapely import affinity
from shapely.geometry import LineString, Point, Polygon, box
from shapely.ops import linemerge, polygonize, unary_union

ZOOMS = range(12, 17)
EXTENT = 4096
# A tile has some of its neighbours, so that lines have no ends at its edge.
MARGIN = 64
HIGHWAYS = {"motorway", "motorway_link"}
MAJOR = {"trunk", "trunk_link", "primary", "primary_link", "secondary", "secondary_link", "tertiary", "tertiary_link"}
MINOR = {"residential", "unclassified", "living_street", "service", "road", "pedestrian", "busway"}
PATHS = {"footway", "path", "cycleway", "steps", "track", "bridleway", "corridor"}
GREENS = {
    "leisure": {"park", "garden", "pitch", "playground", "golf_course", "nature_reserve", "dog_park"},
    "landuse": {"grass", "forest", "meadow", "cemetery", "village_green", "recreation_ground"},
    "natural": {"wood", "scrub", "grassland"},
}
RAILS = {"rail", "tram", "light_rail", "narrow_gauge"}
WATERWAYS = {"river", "stream", "canal", "drain"}
# The least zoom of a kind; others are in all tiles.
LEAST_ZOOM = {"path": 15, "rail": 14, "minor_road": 13, "building": 14, "stream": 14, "drain": 15}


def projected(lng, lat):
    """A place in the web's Mercator, the whole earth being one wide, from the north-west."""
    sine = math.sin(math.radians(lat))
    return (lng + 180) / 360, 0.5 - math.atanh(sine) / (2 * math.pi)


class Extract(osmium.SimpleHandler):
    """The features of an extract, by layer: a geometry, its kind, its name."""

    def __init__(self):
        super().__init__()
        self.features = collections.defaultdict(list)
        self.coastlines = []
        self.factory = osmium.geom.WKBFactory()

    def add(self, layer, geometry, kind, name=None):
        self.features[layer].append((geometry, kind, name))

    def way(self, way):
        tags = way.tags
        if len(way.nodes) < 2 or any(not node.location.valid() for node in way.nodes):
            return
        line = LineString([projected(node.lon, node.lat) for node in way.nodes])
        if tags.get("natural") == "coastline":
            self.coastlines.append(line)
        elif "highway" in tags and tags.get("area") != "yes":
            kind = road_kind(tags["highway"])
            is_under = tags.get("tunnel") in ("yes", "building_passage") or tags.get("indoor") == "yes"
            if kind and not (is_under and kind == "path"):
                self.add("roads", line, kind, tags.get("name"))
        elif tags.get("railway") in RAILS and tags.get("tunnel") != "yes":
            self.add("roads", line, "rail")
        elif tags.get("waterway") in WATERWAYS and tags.get("tunnel") not in ("yes", "culvert"):
            self.add("water", line, tags["waterway"])

    def area(self, area):
        tags = area.tags
        layer, kind = area_kind(tags)
        if layer is None:
            return
        try:
            shape = shapely.from_wkb(bytes.fromhex(self.factory.create_multipolygon(area)))
        except RuntimeError:
            # Rings that are no area.
            return
        shape = shapely.transform(shape, lambda places: [projected(lng, lat) for lng, lat in places])
        self.add(layer, shape, kind)


def road_kind(value):
    for kind, values in (("highway", HIGHWAYS), ("major_road", MAJOR), ("minor_road", MINOR), ("path", PATHS)):
        if value in values:
            return kind
    return None


def area_kind(tags):
    """The layer and the kind of an area; None where it is not drawn."""
    if tags.get("natural") == "water" or tags.get("landuse") in ("basin", "reservoir"):
        return "water", "water"
    if "building" in tags and tags["building"] != "no" and tags.get("location") != "underground":
        return "buildings", "building"
    for key, values in GREENS.items():
        if tags.get(key) in values:
            return "landuse", tags[key]
    if tags.get("highway") in ("pedestrian", "footway") or tags.get("place") == "square":
        return "landuse", "pedestrian"
    return None, None


def sea(coastlines, edge):
    """The parts of a box to the right of coastlines: the water of the sea."""
    if not coastlines:
        return None
    parts = list(polygonize(unary_union([edge.exterior, *[line.intersection(edge) for line in coastlines]])))
    wet = []
    for line in coastlines:
        for (x, y), (next_x, next_y) in zip(line.coords, line.coords[1:]):
            length = math.hypot(next_x - x, next_y - y)
            if length == 0:
                continue
            # Rows go south here: the right hand of somebody who walks east is south.
            away = 1e-9 / length
            beside = Point((x + next_x) / 2 - (next_y - y) * away, (y + next_y) / 2 + (next_x - x) * away)
            wet += [part for part in parts if part.contains(beside)]
    return unary_union(wet) if wet else None


def tile(features, zoom, column, row):
    """The bytes of a tile; None for an empty one."""
    count = 1 << zoom
    margin = MARGIN / EXTENT
    west, north = (column - margin) / count, (row - margin) / count
    around = box(west, north, west + (1 + 2 * margin) / count, north + (1 + 2 * margin) / count)
    to_tile = [count * EXTENT, 0, 0, count * EXTENT, -column * EXTENT, -row * EXTENT]
    layers = []
    for layer in ("landuse", "water", "roads", "buildings"):
        groups = collections.defaultdict(list)
        for geometry, kind, name in features[layer]:
            if zoom >= LEAST_ZOOM.get(kind, 0) and geometry.intersects(around):
                groups[kind, name if zoom >= 14 else None].append(geometry.intersection(around))
        drawn = []
        for (kind, name), geometries in sorted(groups.items(), key=lambda item: (item[0][0], item[0][1] or "")):
            for geometry in merged(geometries):
                shape = affinity.affine_transform(geometry, to_tile).simplify(2 if zoom == ZOOMS[-1] else 4)
                if not shape.is_empty and (shape.length if "Line" in shape.geom_type else shape.area) > 8:
                    properties = {"kind": kind} | ({"name": name} if name else {})
                    drawn.append({"geometry": shape, "properties": properties})
        if drawn:
            layers.append({"name": layer, "features": drawn})
    options = {"extents": EXTENT, "y_coord_down": True}
    return mapbox_vector_tile.encode(layers, default_options=options) if layers else None


def merged(geometries):
    """Lines are put together where they meet, so that names have room; areas stay as they are."""
    lines, areas = [], []
    for geometry in geometries:
        for part in getattr(geometry, "geoms", [geometry]):
            if part.geom_type == "LineString":
                lines.append(part)
            elif part.geom_type == "Polygon":
                areas.append(part)
    whole = linemerge(lines) if lines else None
    return areas + list(getattr(whole, "geoms", [whole] if whole else []))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--centre", metavar="LAT,LNG")
    parser.add_argument("input")
    parser.add_argument("output")
    arguments = parser.parse_args()
    corners = osmium.io.Reader(arguments.input).header().box()
    west, south = corners.bottom_left.lon, corners.bottom_left.lat
    east, north = corners.top_right.lon, corners.top_right.lat
    lat, lng = map(float, arguments.centre.split(",")) if arguments.centre else ((south + north) / 2, (west + east) / 2)
    (left, bottom), (right, top) = projected(west, south), projected(east, north)
    extract = Extract()
    extract.apply_file(arguments.input, locations=True)
    water = sea(extract.coastlines, box(left, top, right, bottom))
    if water is not None:
        extract.add("water", water, "ocean")
    # The same bytes each time: no times in them.
    gzip.compress = functools.partial(gzip.compress, mtime=0)
    pmtiles.tile.gzip.compress = gzip.compress
    tiles = {}
    for zoom in ZOOMS:
        count = 1 << zoom
        for column in range(int(left * count), int(right * count) + 1):
            for row in range(int(top * count), int(bottom * count) + 1):
                content = tile(extract.features, zoom, column, row)
                if content:
                    tiles[zxy_to_tileid(zoom, column, row)] = gzip.compress(content)
    with write(arguments.output) as writer:
        for number in sorted(tiles):
            writer.write_tile(number, tiles[number])
        places = {"min_lon": west, "min_lat": south, "max_lon": east, "max_lat": north, "center_lon": lng, "center_lat": lat}
        units = {f"{name}_e7": round(1e7 * value) for name, value in places.items()}
        writer.finalize(
            {"tile_type": TileType.MVT, "tile_compression": Compression.GZIP, "center_zoom": ZOOMS[-1], **units},
            {"attribution": "© OpenStreetMap contributors", "name": "Streets", "vector_layers": [
                {"id": layer, "fields": {"kind": "String", "name": "String"}} for layer in sorted(extract.features)]},
        )
    print(f"{arguments.output}: {len(tiles)} tiles, {sum(map(len, tiles.values()))} bytes")


if __name__ == "__main__":
    main()
